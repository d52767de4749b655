"""The programs of the experiments: their sources, what is counted, and the input that they start from.

Sources are patterns below the folder of fetched packages (`{gsl}` is the folder of the package gsl); a driver is a file here.
"""

import dataclasses

# Folders of unpacked packages, as patterns.
PACKAGES = {
    "cjson": "cJSON-*",
    "expat": "libexpat-*/expat/lib",
    "giflib": "giflib-*",
    "gsl": "gsl",
    "libmad": "libmad-*",
    "libstb": "libstb-*",
    "libyaml": "libyaml-*",
    "lodepng": "lodepng-*",
    "zlib": "zlib-*",
}


@dataclasses.dataclass
class Program:
    name: str
    group: str
    driver: str
    tested: str  # the function whose instructions count, with those that it can call
    sources: list
    includes: list
    options: list = dataclasses.field(default_factory=list)
    seed: str = None  # a file of seeds.py that is standard input


GSL = ["{gsl}", "{here}/gsl", "{here}"]
GSL_BASE = ["err/error.c", "err/strerror.c", "err/stream.c", "err/message.c", "sys/*.c"]
VECTORS = ["block/block.c", "block/init.c", "vector/*.c", "matrix/*.c", "permutation/permutation.c", "permutation/init.c",
           "permutation/permute.c", "complex/*.c"]
# The linker takes what is used of these, so that the missing parts of BLAS do no harm.
BLAS = VECTORS + ["blas/blas.c", "cblas/d*.c", "cblas/i[dz]*.c", "cblas/hypot.c", "cblas/xerbla.c"]
QR = ["linalg/apply_givens.c", "linalg/householder.c", "linalg/qr.c", "linalg/tri*.c"]
SINGULAR = [*QR, "linalg/bidiag.c", "linalg/svd.c"]


def gsl(name, group, driver, tested, sources, *macros):
    sources = ["{gsl}/" + pattern for pattern in GSL_BASE + sources]
    return Program(name, group, driver, tested, sources, GSL, ["-D" + macro for macro in macros])


INTERPOLATION = ["interpolation/*.c", "linalg/tridiag.c", "poly/dd.c", *VECTORS]


def interpolation(name, tested, kind, size, *macros):
    return gsl(name, "gsl", "gsl/interpolation.c", tested, INTERPOLATION, f"TYPE=gsl_interp_{kind}", f"SIZE={size}", *macros)


def matrix(name, tested, macro, size, *files):
    return gsl(name, "floats", "floats/matrix.c", tested, [*BLAS, *files], macro, f"SIZE={size}")


def parser(name, tested, package, sources, seed, options=(), driver=None):
    return Program(name, "parsers", f"parsers/{driver or name}.c", tested, ["{%s}/%s" % (package, s) for s in sources],
                   ["{%s}" % package, "{here}/parsers"], list(options), seed)


def stb(kind, seed):
    return parser(f"stb-{kind}", "main", "libstb", [], seed, [f"-DSTBI_ONLY_{kind.upper()}"], "stb")


PROGRAMS = [
    interpolation("akimaei", "akima_eval_integ", "akima", 5, "INTEGRAL"),
    gsl("bilinea", "gsl", "gsl/bilinear.c", "bilinear_deriv_y", INTERPOLATION),
    gsl("find", "gsl", "gsl/find.c", "gsl_histogram_find", ["histogram/*.c"]),
    gsl("eigengs", "gsl", "gsl/genv_sort.c", "gsl_eigen_genv_sort", ["eigen/sort.c", *VECTORS]),
    gsl("fft-rrt", "gsl", "gsl/fft.c", "gsl_fft_real_radix2_transform", ["fft/fft.c", *VECTORS]),
    gsl("h2d-ps", "gsl", "gsl/pdf_sample.c", "gsl_histogram2d_pdf_sample", ["histogram/*.c"]),
    gsl("sort", "gsl", "gsl/sort.c", "gsl_sort", ["sort/sortvec.c"]),
    gsl("sum-lum", "gsl", "gsl/levin.c", "gsl_sum_levin_u_minmax", ["sum/levin_u.c", "sum/work_u.c"]),
    interpolation("linear-ed", "linear_eval_deriv", "linear", 4),
    interpolation("linear-ei", "linear_eval_integ", "linear", 4, "INTEGRAL"),
    gsl("solve-ct", "gsl", "gsl/cyclic.c", "gsl_linalg_solve_symm_cyc_tridiag", ["linalg/tridiag.c", *VECTORS], "SYMMETRIC"),
    gsl("solve-ctn", "gsl", "gsl/cyclic.c", "gsl_linalg_solve_cyc_tridiag", ["linalg/tridiag.c", *VECTORS]),
    interpolation("steffen-ei", "steffen_eval_integ", "steffen", 4, "INTEGRAL"),
    parser("cjson", "main", "cjson", ["cJSON.c"], "value.json"),
    parser("expat", "main", "expat", ["xml*.c"], "document.xml", ["-DHAVE_EXPAT_CONFIG_H"]),
    parser("giflib", "main", "giflib", ["dgif_lib.c", "gif_err.c", "gifalloc.c", "gif_hash.c", "openbsd-reallocarray.c"],
           "image.gif"),
    parser("libyaml", "main", "libyaml", ["src/api.c", "src/parser.c", "src/reader.c", "src/scanner.c"], "document.yaml",
           ["-I{libyaml}/include", "-DYAML_VERSION_MAJOR=0", "-DYAML_VERSION_MINOR=2", "-DYAML_VERSION_PATCH=5",
            '-DYAML_VERSION_STRING="0.2.5"']),
    parser("lodepng", "main", "lodepng", [], "image.png",
           ["-DLODEPNG_NO_COMPILE_ENCODER", "-DLODEPNG_NO_COMPILE_DISK", "-DLODEPNG_NO_COMPILE_CPP"]),
    parser("mad", "main", "libmad", ["bit.c", "fixed.c", "frame.c", "huffman.c", "layer12.c", "layer3.c", "stream.c", "timer.c"],
           "audio.mp3", ["-DFPM_64BIT", "-DSIZEOF_INT=4", "-DNDEBUG"]),
    stb("bmp", "image.bmp"),
    stb("gif", "image.gif"),
    stb("jpeg", "image.jpg"),
    stb("png", "image.png"),
    stb("pnm", "image.pgm"),
    stb("tga", "image.tga"),
    parser("zlib", "main", "zlib", ["adler32.c", "crc32.c", "inflate.c", "inffast.c", "inftrees.c", "zutil.c"], "stream.z"),
    matrix("eigen-symm", "gsl_eigen_symm", "SYMMETRIC", 3, "eigen/symm.c", "linalg/householder.c", "linalg/symmtd.c"),
    matrix("eigen-nonsymm", "gsl_eigen_nonsymm", "GENERAL", 3, "eigen/francis.c", "eigen/nonsymm.c", "eigen/schur.c",
           "linalg/balance*.c", "linalg/hessenberg.c", "linalg/householder.c"),
    matrix("jacobi", "gsl_linalg_SV_decomp_jacobi", "JACOBI", 2, *SINGULAR),
    matrix("svd", "gsl_linalg_SV_decomp", "SINGULAR", 2, *SINGULAR),
    matrix("cholesky", "main", "CHOLESKY", 3, "linalg/cholesky*.c", "linalg/condest.c", "linalg/householder.c"),
    matrix("lu", "main", "TRIANGULAR", 3, "linalg/lu.c"),
    matrix("qr", "main", "ORTHOGONAL", 2, *QR),
    gsl("least-squares", "floats", "floats/least_squares.c", "main", [*BLAS, *QR]),
    gsl("root", "floats", "floats/root.c", "main", ["roots/*.c"]),
    gsl("integral", "floats", "floats/integral.c", "gsl_integration_qag",
        ["integration/qag.c", "integration/qk*.c", "integration/workspace.c"]),
]
