//! Names and types of the imported functions.

use sundry_wasm::{Signature, ValueType};

macro_rules! host_functions {
    ($($variant:ident $module:literal $name:literal ($($parameter:ident)*) -> ($($result:ident)*))*) => {
        /// A function of the host.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // The names are those of the interface.
        pub enum HostFunction { $($variant),* }

        impl HostFunction {
            /// The function of this name.
            pub fn named(module: &str, name: &str) -> Option<HostFunction> {
                match (module, name) {
                    $(($module, $name) => Some(HostFunction::$variant),)*
                    _ => None,
                }
            }

            /// The type of the function.
            pub fn signature(self) -> Signature {
                match self {
                    $(HostFunction::$variant => Signature {
                        parameters: vec![$(ValueType::$parameter),*],
                        results: vec![$(ValueType::$result),*],
                    },)*
                }
            }
        }
    };
}

host_functions! {
    ArgsGet "wasi_snapshot_preview1" "args_get" (I32 I32) -> (I32)
    ArgsSizesGet "wasi_snapshot_preview1" "args_sizes_get" (I32 I32) -> (I32)
    EnvironGet "wasi_snapshot_preview1" "environ_get" (I32 I32) -> (I32)
    EnvironSizesGet "wasi_snapshot_preview1" "environ_sizes_get" (I32 I32) -> (I32)
    ClockResGet "wasi_snapshot_preview1" "clock_res_get" (I32 I32) -> (I32)
    ClockTimeGet "wasi_snapshot_preview1" "clock_time_get" (I32 I64 I32) -> (I32)
    FdAdvise "wasi_snapshot_preview1" "fd_advise" (I32 I64 I64 I32) -> (I32)
    FdAllocate "wasi_snapshot_preview1" "fd_allocate" (I32 I64 I64) -> (I32)
    FdClose "wasi_snapshot_preview1" "fd_close" (I32) -> (I32)
    FdDatasync "wasi_snapshot_preview1" "fd_datasync" (I32) -> (I32)
    FdFdstatGet "wasi_snapshot_preview1" "fd_fdstat_get" (I32 I32) -> (I32)
    FdFdstatSetFlags "wasi_snapshot_preview1" "fd_fdstat_set_flags" (I32 I32) -> (I32)
    FdFdstatSetRights "wasi_snapshot_preview1" "fd_fdstat_set_rights" (I32 I64 I64) -> (I32)
    FdFilestatGet "wasi_snapshot_preview1" "fd_filestat_get" (I32 I32) -> (I32)
    FdFilestatSetSize "wasi_snapshot_preview1" "fd_filestat_set_size" (I32 I64) -> (I32)
    FdFilestatSetTimes "wasi_snapshot_preview1" "fd_filestat_set_times" (I32 I64 I64 I32) -> (I32)
    FdPread "wasi_snapshot_preview1" "fd_pread" (I32 I32 I32 I64 I32) -> (I32)
    FdPrestatGet "wasi_snapshot_preview1" "fd_prestat_get" (I32 I32) -> (I32)
    FdPrestatDirName "wasi_snapshot_preview1" "fd_prestat_dir_name" (I32 I32 I32) -> (I32)
    FdPwrite "wasi_snapshot_preview1" "fd_pwrite" (I32 I32 I32 I64 I32) -> (I32)
    FdRead "wasi_snapshot_preview1" "fd_read" (I32 I32 I32 I32) -> (I32)
    FdReaddir "wasi_snapshot_preview1" "fd_readdir" (I32 I32 I32 I64 I32) -> (I32)
    FdRenumber "wasi_snapshot_preview1" "fd_renumber" (I32 I32) -> (I32)
    FdSeek "wasi_snapshot_preview1" "fd_seek" (I32 I64 I32 I32) -> (I32)
    FdSync "wasi_snapshot_preview1" "fd_sync" (I32) -> (I32)
    FdTell "wasi_snapshot_preview1" "fd_tell" (I32 I32) -> (I32)
    FdWrite "wasi_snapshot_preview1" "fd_write" (I32 I32 I32 I32) -> (I32)
    PathCreateDirectory "wasi_snapshot_preview1" "path_create_directory" (I32 I32 I32) -> (I32)
    PathFilestatGet "wasi_snapshot_preview1" "path_filestat_get" (I32 I32 I32 I32 I32) -> (I32)
    PathFilestatSetTimes "wasi_snapshot_preview1" "path_filestat_set_times" (I32 I32 I32 I32 I64 I64 I32) -> (I32)
    PathLink "wasi_snapshot_preview1" "path_link" (I32 I32 I32 I32 I32 I32 I32) -> (I32)
    PathOpen "wasi_snapshot_preview1" "path_open" (I32 I32 I32 I32 I32 I64 I64 I32 I32) -> (I32)
    PathReadlink "wasi_snapshot_preview1" "path_readlink" (I32 I32 I32 I32 I32 I32) -> (I32)
    PathRemoveDirectory "wasi_snapshot_preview1" "path_remove_directory" (I32 I32 I32) -> (I32)
    PathRename "wasi_snapshot_preview1" "path_rename" (I32 I32 I32 I32 I32 I32) -> (I32)
    PathSymlink "wasi_snapshot_preview1" "path_symlink" (I32 I32 I32 I32 I32) -> (I32)
    PathUnlinkFile "wasi_snapshot_preview1" "path_unlink_file" (I32 I32 I32) -> (I32)
    PollOneoff "wasi_snapshot_preview1" "poll_oneoff" (I32 I32 I32 I32) -> (I32)
    ProcExit "wasi_snapshot_preview1" "proc_exit" (I32) -> ()
    ProcRaise "wasi_snapshot_preview1" "proc_raise" (I32) -> (I32)
    RandomGet "wasi_snapshot_preview1" "random_get" (I32 I32) -> (I32)
    SchedYield "wasi_snapshot_preview1" "sched_yield" () -> (I32)
    SockAccept "wasi_snapshot_preview1" "sock_accept" (I32 I32 I32) -> (I32)
    SockRecv "wasi_snapshot_preview1" "sock_recv" (I32 I32 I32 I32 I32 I32) -> (I32)
    SockSend "wasi_snapshot_preview1" "sock_send" (I32 I32 I32 I32 I32) -> (I32)
    SockShutdown "wasi_snapshot_preview1" "sock_shutdown" (I32 I32) -> (I32)
    Symbolic "sundry" "symbolic" (I32 I32 I32) -> ()
    Assume "sundry" "assume" (I32) -> ()
    AssertFail "sundry" "assert_fail" (I32 I32 I32 I32) -> ()
    IsSymbolic "sundry" "is_symbolic" (I32) -> (I32)
    ReportError "sundry" "report_error" (I32 I32 I32 I32) -> ()
    SilentExit "sundry" "silent_exit" (I32) -> ()
}
