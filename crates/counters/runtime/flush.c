/* Counters of a program that is stopped at a limit.
 *
 * The runtimes of gcov (gcc --coverage) and of LLVM's profiles (clang -fprofile-instr-generate) write their counters when
 * the program exits. A program that is killed writes nothing, although a run without end is the one that matters. Linked
 * into the program, this file writes the counters at SIGUSR2 and ends the program at once.
 *
 * It does nothing unless the environment variable SUNDRY_FLUSH_ON_SIGNAL is set. Then it blocks SIGUSR2 before main, so
 * in all threads, and starts a thread that waits for it. Counters are written in that thread and not in a handler, since
 * writing needs locks and memory, which the interrupted code may hold. Other threads count on meanwhile, so counters that
 * are written later may include some more steps. SIGUSR2 because neither the kernel, nor terminals,
 * nor the usual solvers send it or catch it (they use SIGINT, SIGTERM, SIGALRM and SIGXCPU), and its number is fixed at
 * compile time, unlike those of real-time signals. A handler of the program's own for SIGUSR2 is never called while the
 * variable is set, unless the program unblocks the signal. Children of the program inherit the blocked signal.
 *
 * The counters are those of the program or library that this file is linked into: each shared library has a runtime of
 * its own. Link instrumented libraries statically.
 *
 * Link it (the -u is for gcov only, whose library would leave out __gcov_dump):
 *     gcc -O2 -c flush.c
 *     g++ --coverage ... flush.o -pthread -Wl,-u,__gcov_dump
 *     clang++ -fprofile-instr-generate ... flush.o -pthread
 * With CMake: -DCMAKE_EXE_LINKER_FLAGS="/path/to/flush.o -pthread -Wl,-u,__gcov_dump"
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The one that is linked writes its counters. */
extern void __gcov_dump(void) __attribute__((weak));
extern int __llvm_profile_write_file(void) __attribute__((weak));

static void *wait_for_signal(void *signals)
{
    int signal = 0;
    while (sigwait((const sigset_t *)signals, &signal) != 0)
        ;
    if (__gcov_dump)
        __gcov_dump();
    if (__llvm_profile_write_file)
        (void)__llvm_profile_write_file();
    _exit(128 + signal);
    return NULL;
}

__attribute__((constructor)) static void start_waiting(void)
{
    static sigset_t signals;
    pthread_t thread;
    if (!getenv("SUNDRY_FLUSH_ON_SIGNAL"))
        return;
    if (!__gcov_dump && !__llvm_profile_write_file)
        fputs("flush.c: the program has no counters, or was linked without -Wl,-u,__gcov_dump\n", stderr);
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR2);
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0 || pthread_create(&thread, NULL, wait_for_signal, &signals) != 0) {
        fputs("flush.c: no thread can wait for SIGUSR2\n", stderr);
        return;
    }
    (void)pthread_detach(thread);
}
