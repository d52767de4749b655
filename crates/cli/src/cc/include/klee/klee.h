/* The public names of KLEE on top of sundry.h, so that test drivers written for KLEE compile as they are. */
#ifndef SUNDRY_KLEE_H
#define SUNDRY_KLEE_H

#include <stdint.h>
#include <sundry.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUNDRY_ALIAS static inline __attribute__((unused))

SUNDRY_ALIAS void klee_make_symbolic(void *address, size_t size, const char *name) {
    sundry_symbolic(address, size, name);
}

SUNDRY_ALIAS void klee_assume(uintptr_t condition) {
    sundry_assume(condition != 0);
}

SUNDRY_ALIAS int klee_int(const char *name) {
    int value;
    sundry_symbolic(&value, sizeof value, name);
    return value;
}

/* A value from `begin` to below `end`. */
SUNDRY_ALIAS int klee_range(int begin, int end, const char *name) {
    int value = klee_int(name);
    sundry_assume(begin <= value && value < end);
    return value;
}

SUNDRY_ALIAS uintptr_t klee_choose(uintptr_t count) {
    uintptr_t value;
    sundry_symbolic(&value, sizeof value, "klee_choose");
    sundry_assume(value < count);
    return value;
}

SUNDRY_ALIAS unsigned klee_is_symbolic(uintptr_t value) {
    return (unsigned)sundry_is_symbolic((int)value);
}

#define klee_assert(condition) sundry_assert(condition)

SUNDRY_ALIAS __attribute__((noreturn)) void klee_silent_exit(int status) {
    sundry_silent_exit(status);
}

SUNDRY_ALIAS __attribute__((noreturn)) void klee_abort(void) {
    __builtin_trap();
}

SUNDRY_ALIAS __attribute__((noreturn)) void klee_report_error(
    const char *file, int line, const char *message, const char *suffix) {
    sundry_report_error(file, line, message, suffix);
}

/* An access to both ends of an object shows whether it is there. */
SUNDRY_ALIAS void klee_check_memory_access(const void *address, size_t size) {
    if (size > 0) {
        (void)*(const volatile char *)address;
        (void)*((const volatile char *)address + size - 1);
    }
}

/* A value stays what it is: its paths need no single value. */
SUNDRY_ALIAS float klee_get_valuef(float value) { return value; }
SUNDRY_ALIAS double klee_get_valued(double value) { return value; }
SUNDRY_ALIAS long klee_get_valuel(long value) { return value; }
SUNDRY_ALIAS long long klee_get_valuell(long long value) { return value; }
SUNDRY_ALIAS int32_t klee_get_value_i32(int32_t value) { return value; }
SUNDRY_ALIAS int64_t klee_get_value_i64(int64_t value) { return value; }

/* The rest has no effect: hints for KLEE's search, and messages for its log. */
SUNDRY_ALIAS void klee_prefer_cex(void *object, uintptr_t condition) { (void)object; (void)condition; }
SUNDRY_ALIAS void klee_mark_global(void *object) { (void)object; }
SUNDRY_ALIAS void klee_set_forking(unsigned enable) { (void)enable; }
SUNDRY_ALIAS void klee_warning(const char *message) { (void)message; }
SUNDRY_ALIAS void klee_warning_once(const char *message) { (void)message; }
SUNDRY_ALIAS void klee_print_expr(const char *message, ...) { (void)message; }
SUNDRY_ALIAS void klee_stack_trace(void) {}
SUNDRY_ALIAS void klee_open_merge(void) {}
SUNDRY_ALIAS void klee_close_merge(void) {}

#undef SUNDRY_ALIAS

#ifdef __cplusplus
}
#endif

#endif
