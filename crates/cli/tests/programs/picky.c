/* A solver that is slow where there are products of bit-vectors: the more, the slower, and it does not end from three on. It says
 * sat to everything about bit-vectors, and starts another solver, whose command is its first argument, for all else.
 *
 * usage: picky SOLVER [--easy] [--units=N] [--report] FILE
 *   --easy      be fast all the same, as the reference
 *   --units=N   count work instead of doing it, and say unknown when there would be more than N units
 *   --report    print the number of units
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int occurrences(const char *text, const char *word) {
    int count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static long work(const char *text) {
    long units = 1;
    if (strstr(text, "bvadd") != NULL)
        units += 2;
    if (strstr(text, "bvudiv") != NULL)
        units += 3;
    if (strstr(text, "concat") != NULL)
        units += 4;
    if (strstr(text, "ite") != NULL)
        units += 5;
    int products = occurrences(text, "(bvmul");
    for (int product = 0; product < products; product++)
        units += 100 * (product + 1);
    return units;
}

int main(int argc, char **argv) {
    static char text[1 << 20];
    int is_easy = 0, reports = 0;
    long limit = -1;
    if (argc < 3)
        return 2;
    for (int argument = 2; argument < argc - 1; argument++) {
        if (strcmp(argv[argument], "--easy") == 0)
            is_easy = 1;
        else if (strcmp(argv[argument], "--report") == 0)
            reports = 1;
        else if (strncmp(argv[argument], "--units=", 8) == 0)
            limit = atol(argv[argument] + 8);
    }
    FILE *file = fopen(argv[argc - 1], "r");
    if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0)
        return 2;
    long units = is_easy ? 1 : work(text);
    if (limit >= 0 && units >= limit) {
        fprintf(stderr, "units: %ld\n", limit);
        puts("unknown");
        return 0;
    }
    if (reports)
        fprintf(stderr, "units: %ld\n", units);
    volatile long spin = limit >= 0 ? 0 : 200000 * (units - 1);
    while (spin > 0 || (limit < 0 && units > 600))
        spin--;
    if (strstr(text, "BitVec") != NULL) {
        puts("sat");
        return 0;
    }
    /* Not in this process, whose counters would be lost. */
    pid_t child = fork();
    if (child == 0) {
        execl(argv[1], argv[1], "solve", argv[argc - 1], (char *)NULL);
        _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
