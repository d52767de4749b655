/* Counters of edges that survive any end of the program, SIGKILL included.
 *
 * Compilers call a function at each edge of the control flow: clang with -fsanitize-coverage=trace-pc-guard, gcc with
 * -fsanitize-coverage=trace-pc. Linked into the program, this file counts the calls in a file that is mapped shared, which
 * the environment variable SUNDRY_EDGES names and whoever starts the program has made; without the variable, nothing is
 * counted. (clang's inline-8bit-counters are not supported: they wrap around at 256 and die with the program.)
 *
 * The file has four words of 64 bits, "sndryedg", the number of edges and two zeros, and then two words for each edge in
 * the order of first executions, its key and its count. The keys are the same in every run of the same program. With
 * clang, edges are numbered from 1 as their modules are initialised. With gcc, a key is the place of the call in its module
 * (the address less that of the module, so randomised addresses change nothing) and, from bit 32 on, the number of the
 * module from 1 in the order of loading. An edge may have several entries, of forked processes or racing threads, which add
 * up; threads that count one edge at the same time may lose a count.
 *
 * Compile this file WITHOUT -fsanitize-coverage, and all others with it:
 *     gcc -O2 -c edges.c
 *     clang++ -fsanitize-coverage=trace-pc-guard ... edges.o
 *     g++ -fsanitize-coverage=trace-pc ... edges.o
 * Shared libraries need no edges.o of their own if the program exports it: link the program with -rdynamic.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct edge { uint64_t key, count; };
static struct edge *edges; /* Null if nothing is counted. */
static uint64_t *used, capacity;

__attribute__((constructor(101))) static void map_file(void)
{
    const char *path = getenv("SUNDRY_EDGES");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 32) {
        uint64_t *words = (uint64_t *)mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (words != (uint64_t *)MAP_FAILED && memcmp(words, "sndryedg", 8) == 0) {
            used = words + 1;
            capacity = ((uint64_t)status.st_size - 32) / sizeof(struct edge);
            edges = (struct edge *)(words + 4);
        }
    }
    if (file >= 0)
        close(file);
}

/* The place of a new entry from 1, or 0 if the file is full, which its number of edges shows. */
static uint32_t place(uint64_t key)
{
    uint64_t next = __atomic_fetch_add(used, 1, __ATOMIC_RELAXED);
    if (next >= capacity)
        return 0;
    edges[next].key = key;
    return (uint32_t)next + 1;
}

static void count(uint32_t entry)
{
    if (entry)
        edges[entry - 1].count++;
}

/* clang. A guard is the number of its edge at first, and the place of its entry from the first execution on. */
#define PLACED 0x80000000u
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
    static uint32_t guards;
    if (start == stop || *start)
        return; /* Each object of a module calls this with all guards of the module. */
    while (start < stop)
        *start++ = ++guards;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    uint32_t value = *guard;
    if (!edges || !value)
        return;
    if (!(value & PLACED))
        *guard = value = place(value) | PLACED;
    count(value & ~PLACED);
}

/* gcc. The module of the last new edge of a thread, and a table with the entries of calls; what does not fit is not counted. */
static __thread struct { uintptr_t base, size; uint64_t number; } module;
static struct { uintptr_t call; uint32_t entry; } table[1u << 21];

static int find_module(struct dl_phdr_info *info, size_t size, void *call)
{
    module.number++;
    module.base = info->dlpi_addr;
    module.size = 0;
    for (size = 0; size < info->dlpi_phnum; size++)
        if (info->dlpi_phdr[size].p_type == PT_LOAD)
            module.size = info->dlpi_phdr[size].p_vaddr + info->dlpi_phdr[size].p_memsz;
    return *(uintptr_t *)call - module.base < module.size;
}

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t call = (uintptr_t)__builtin_return_address(0), found;
    uint32_t slot = (uint32_t)((uint64_t)call * 0x9e3779b97f4a7c15u >> 43), probes;
    for (probes = 0; edges && probes < 64; probes++, slot = (slot + 1) % (1u << 21)) {
        found = table[slot].call;
        if (!found && __atomic_compare_exchange_n(&table[slot].call, &found, call, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            if (call - module.base >= module.size) {
                module.number = 0;
                dl_iterate_phdr(find_module, &call);
            }
            table[slot].entry = place(module.number << 32 | (uint32_t)(call - module.base));
            found = call;
        }
        if (found == call) {
            count(table[slot].entry);
            return;
        }
    }
}
