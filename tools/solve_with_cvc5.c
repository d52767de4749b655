/* cvc5's shared libraries, as its Python package has them, as an SMT-LIB command line. Python itself and its module for
 * cvc5 would take 30 ms of processor time for each formula, more than most formulas do.
 *
 * usage: cvc5 [--OPTION[=VALUE]...] FILE      options are cvc5's own, --no-OPTION turns one off; the file - is the
 *                                             standard input, of which each command is answered as soon as it is there
 *                                             with --lang=sygus2, FILE asks for functions in the language of SyGuS
 *        cvc5 --version
 *        cvc5 --help      lists the options, as cvc5's own program does
 */
#include <stdbool.h>
#include <stddef.h>
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
enum { SMT_LIB_2_6 = 0, SYGUS_2_1 = 1 };
extern Manager *cvc5_term_manager_new(void);
extern Solver *cvc5_new(Manager *manager);
extern void cvc5_set_option(Solver *solver, const char *name, const char *value);
extern Symbols *cvc5_symbol_manager_new(Manager *manager);
extern const char *cvc5_get_version(const Solver *solver);
extern const char **cvc5_get_option_names(Solver *solver, size_t *size);
extern void cvc5_get_option_info(Solver *solver, const char *name, void *info);
extern const char *cvc5_option_info_to_string(const void *info);
extern Parser *cvc5_parser_new(Solver *solver, Symbols *symbols);
extern void cvc5_parser_set_file_input(Parser *parser, int language, const char *file);
extern void cvc5_parser_set_inc_str_input(Parser *parser, int language, const char *name);
extern void cvc5_parser_append_inc_str_input(Parser *parser, const char *text);
extern Command cvc5_parser_next_command(Parser *parser, const char **error);
extern const char *cvc5_cmd_get_name(const Command command);
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

/* Runs the commands that the parser has. Returns whether there may be others behind them. A reset is noted. */
static bool run(Parser *parser, Solver *solver, Symbols *symbols, bool *was_reset)
{
    for (;;) {
        const char *error = NULL;
        Command command = cvc5_parser_next_command(parser, &error);
        if (command && !error && strcmp(cvc5_cmd_get_name(command), "reset") == 0)
            *was_reset = true;
        const char *output = command && !error ? cvc5_cmd_invoke(command, solver, symbols) : NULL;
        if (!error && cvc5_has_error())
            error = cvc5_get_error_message();
        if (error)
            print_error(error);
        if (error || !output)
            return !error;
        fputs(output, stdout);
        /* A solver that is stopped has shown its answers so far. */
        fflush(stdout);
    }
}

/* Reads commands from the standard input, and runs them as soon as they are complete. */
static void run_commands(Manager *manager, Solver *solver)
{
    Symbols *symbols = NULL;
    Parser *parser = NULL;
    bool was_reset = true;
    size_t space = 1 << 16, length = 0;
    char *text = malloc(space + 1);
    long depth = 0;
    /* The character at which a string, a quoted symbol or a comment ends; 0 outside of them. */
    char within = 0;
    while (text) {
        ssize_t count = read(0, text + length, space - length);
        if (count <= 0)
            break;
        size_t end = 0;
        for (size_t place = length; place < length + count; place++) {
            char character = text[place];
            if (within) {
                if (character == within)
                    within = 0;
            } else if (character == '"' || character == '|') {
                within = character;
            } else if (character == ';') {
                within = '\n';
            } else if (character == '(') {
                depth++;
            } else if (character == ')' && --depth <= 0) {
                end = place + 1;
            }
        }
        length += count;
        if (end) {
            char behind = text[end];
            text[end] = '\0';
            if (was_reset) {
                /* A parser sets the logic that its symbols had before. */
                symbols = cvc5_symbol_manager_new(manager);
                parser = cvc5_parser_new(solver, symbols);
                cvc5_parser_set_inc_str_input(parser, SMT_LIB_2_6, "<stdin>");
                was_reset = false;
            }
            cvc5_parser_append_inc_str_input(parser, text);
            text[end] = behind;
            if (!run(parser, solver, symbols, &was_reset))
                break;
            length -= end;
            memmove(text, text + end, length);
        }
        if (length == space) {
            space *= 2;
            text = realloc(text, space + 1);
        }
    }
    fflush(stdout);
    _exit(0);
}

/* Prints each option as cvc5's help does: switches with a mark, others with a word for their value. */
static void print_options(Solver *solver)
{
    size_t count;
    const char **names = cvc5_get_option_names(solver, &count);
    char **copies = malloc(count * sizeof *copies);
    /* The next call reuses the memory of the names. */
    for (size_t number = 0; copies && number < count; number++)
        copies[number] = strdup(names[number]);
    for (size_t number = 0; copies && number < count; number++) {
        /* Far larger than the description of an option, which is a structure of some hundred bytes. */
        static _Alignas(max_align_t) char info[4096];
        cvc5_get_option_info(solver, copies[number], info);
        bool is_switch = strstr(cvc5_option_info_to_string(info), "| bool |") != NULL;
        printf(is_switch ? "  --%s  [*]\n" : "  --%s=VALUE\n", copies[number]);
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
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        print_options(solver);
        return 0;
    }
    int language = SMT_LIB_2_6;
    for (int number = 1; number + 1 < count; number++) {
        char *name = arguments[number];
        if (strcmp(name, "--lang=sygus2") == 0) {
            language = SYGUS_2_1;
            cvc5_set_option(solver, "sygus", "true");
            end_on_error();
            continue;
        }
        if (strncmp(name, "--", 2) == 0)
            name += 2;
        char *value = strchr(name, '=');
        if (value)
            *value++ = '\0';
        bool is_off = !value && strncmp(name, "no-", 3) == 0;
        cvc5_set_option(solver, is_off ? name + 3 : name, value && *value ? value : is_off ? "false" : "true");
        end_on_error();
    }
    if (strcmp(arguments[count - 1], "-") == 0)
        run_commands(manager, solver);
    Symbols *symbols = cvc5_symbol_manager_new(manager);
    Parser *parser = cvc5_parser_new(solver, symbols);
    cvc5_parser_set_file_input(parser, language, arguments[count - 1]);
    end_on_error();
    bool was_reset = false;
    run(parser, solver, symbols, &was_reset);
    fflush(stdout);
    /* Freeing everything takes longer than most formulas. */
    _exit(0);
}
