"""Fetches the sources of the programs from Debian's source packages, without any change to the system's list of packages."""

import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

from programs import PACKAGES

# The system's lists of packages, of whose archives the sources are fetched; apt checks the signatures with the same keyrings.
LISTS = pathlib.Path("/etc/apt")


def fetch(folder):
    """Downloads and unpacks the original sources of all packages that are not there yet."""
    missing = [package for package in PACKAGES if not place(folder, package)]
    if missing:
        download(folder, missing)
    if place(folder, "gsl"):
        gather_headers(folder / "gsl")


def download(folder, packages):
    private = folder / "apt"
    for part in ("parts", "lists/partial", "cache/archives/partial"):
        (private / part).mkdir(parents=True, exist_ok=True)
    for path in [LISTS / "sources.list", *LISTS.glob("sources.list.d/*")]:
        if path.is_file() and path.suffix in (".list", ".sources"):
            (private / "parts" / path.name).write_text(of_sources(path.read_text()))
    options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={private}/parts",
               "-o", f"Dir::State::lists={private}/lists", "-o", f"Dir::Cache={private}/cache"]
    for command in (["update"], ["source", "--tar-only", "--download-only", *packages]):
        if subprocess.run(["apt-get", "--quiet", *options, *command], cwd=folder, stdout=subprocess.DEVNULL).returncode:
            print(f"sources of some packages ({', '.join(packages)}) cannot be fetched; their programs are left out",
                  file=sys.stderr)
    for archive in folder.glob("*.orig.tar.*"):
        if archive.suffix != ".asc":
            with tarfile.open(archive) as tar:
                tar.extractall(folder, filter="data")


def of_sources(text):
    """A list of archives, with their source packages instead of the binary ones."""
    text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE)
    return re.sub(r"^deb(?=[ \t])", "deb-src", text, flags=re.MULTILINE)


def gather_headers(root):
    """Puts the headers of the GSL into one folder, where its sources look for them."""
    target = root / "gsl"
    target.mkdir(exist_ok=True)
    for header in [*root.glob("gsl_*.h"), *root.glob("[!g]*/gsl_*.h")]:
        if not (target / header.name).exists():
            shutil.copy(header, target)


def place(folder, package):
    """The folder of an unpacked package, or none."""
    return next(iter(sorted(path for path in folder.glob(PACKAGES[package]) if path.is_dir())), None)


def expand(pattern, folder):
    """The sources that a pattern with the name of a package in braces stands for, without tests and parts of other sources."""
    package, _, rest = pattern[1:].partition("}/")
    root = place(folder, package)
    files = sorted(root.glob(rest)) if root else []
    return [str(file) for file in files
            if not file.name.startswith(("test", "urand")) and file.name not in included(file.parent)]


@functools.cache
def included(folder):
    """The names of C files that other files in a folder include."""
    texts = (file.read_text(errors="replace") for file in folder.glob("*.[ch]"))
    return {name for text in texts for name in re.findall(r'#\s*include\s+"(\w+\.c)"', text)}


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    fetch(target.resolve())
