/* Symbolic inputs, assumptions and assertions for `sundry explore`.
 *
 * Each function below is an import of the module "sundry", with these names and types (addresses and sizes are i32):
 *
 *   symbolic(address, size, name)                    makes the bytes of an object symbolic
 *   assume(condition)                                ends the path without a test unless the condition is not 0
 *   assert_fail(expression, file, line, function)    reports a failed assertion and ends the path
 *   is_symbolic(value) -> i32                        says whether a value depends on symbolic bytes
 *   report_error(file, line, message, suffix)        reports an error of a kind and ends the path
 *   silent_exit(status)                              ends the path without a test
 */
#ifndef SUNDRY_H
#define SUNDRY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUNDRY_IMPORT(name) __attribute__((import_module("sundry"), import_name(#name)))

SUNDRY_IMPORT(symbolic) void sundry_symbolic(void *address, size_t size, const char *name);
SUNDRY_IMPORT(assume) void sundry_assume(int condition);
SUNDRY_IMPORT(is_symbolic) int sundry_is_symbolic(int value);
SUNDRY_IMPORT(assert_fail) __attribute__((noreturn))
void __sundry_assert_fail(const char *expression, const char *file, unsigned line, const char *function);
SUNDRY_IMPORT(report_error) __attribute__((noreturn))
void sundry_report_error(const char *file, int line, const char *message, const char *suffix);
SUNDRY_IMPORT(silent_exit) __attribute__((noreturn)) void sundry_silent_exit(int status);

#define sundry_assert(condition) \
    ((condition) ? (void)0 : __sundry_assert_fail(#condition, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif

#endif
