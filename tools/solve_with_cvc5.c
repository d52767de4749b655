/* cvc5's shared libraries, as its Python package has them, as an SMT-LIB command line. Python itself and its module for
 * cvc5 would take 30 ms of processor time for each formula, more than most formulas do.
 *
 * usage: cvc5 [--OPTION[=VALUE]...] FILE      options are cvc5's own
 *        cvc5 --version
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The package has no headers; these are the parts of cvc5's interface for C that are needed here. */
typedef struct Manager Manager;
typedef struct Solver Solver;
typedef struct Symbols Symbols;
typedef struct Parser Parser;
typedef struct CommandData *Command;
enum { SMT_LIB_2_6 = 0 };
extern Manager *cvc5_term_manager_new(void);
extern Solver *cvc5_new(Manager *manager);
extern void cvc5_set_option(Solver *solver, const char *name, const char *value);
extern Symbols *cvc5_symbol_manager_new(Manager *manager);
extern const char *cvc5_get_version(const Solver *solver);
extern Parser *cvc5_parser_new(Solver *solver, Symbols *symbols);
extern void cvc5_parser_set_file_input(Parser *parser, int language, const char *file);
extern Command cvc5_parser_next_command(Parser *parser, const char **error);
extern const char *cvc5_cmd_invoke(Command command, Solver *solver, Symbols *symbols);
extern bool cvc5_has_error(void);
extern const char *cvc5_get_error_message(void);

/* Ends the program if its last call of cvc5 failed because of the command line. */
static void end_on_error(void)
{
    if (!cvc5_has_error())
        return;
    fprintf(stderr, "error: %s\n", cvc5_get_error_message());
    exit(1);
}

static void print_error(const char *message)
{
    fputs("(error \"", stdout);
    for (; *message; message++)
        putchar(*message == '"' ? '\'' : *message);
    puts("\")");
}

static void run(Parser *parser, Solver *solver, Symbols *symbols)
{
    for (;;) {
        const char *error = NULL;
        Command command = cvc5_parser_next_command(parser, &error);
        const char *output = command && !error ? cvc5_cmd_invoke(command, solver, symbols) : NULL;
        if (!error && cvc5_has_error())
            error = cvc5_get_error_message();
        if (error)
            print_error(error);
        if (error || !output)
            return;
        fputs(output, stdout);
        /* A solver that is stopped has shown its answers so far. */
        fflush(stdout);
    }
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fputs("usage: cvc5 [--OPTION[=VALUE]...] FILE\n", stderr);
        return 2;
    }
    Manager *manager = cvc5_term_manager_new();
    Solver *solver = cvc5_new(manager);
    if (count == 2 && strcmp(arguments[1], "--version") == 0) {
        printf("cvc5 %s\n", cvc5_get_version(solver));
        return 0;
    }
    for (int number = 1; number + 1 < count; number++) {
        char *name = arguments[number];
        if (strncmp(name, "--", 2) == 0)
            name += 2;
        char *value = strchr(name, '=');
        if (value)
            *value++ = '\0';
        cvc5_set_option(solver, name, value && *value ? value : "true");
        end_on_error();
    }
    Symbols *symbols = cvc5_symbol_manager_new(manager);
    Parser *parser = cvc5_parser_new(solver, symbols);
    cvc5_parser_set_file_input(parser, SMT_LIB_2_6, arguments[count - 1]);
    end_on_error();
    run(parser, solver, symbols);
    fflush(stdout);
    /* Freeing everything takes longer than most formulas. */
    _exit(0);
}
