// Conversions between both formats, and between floats and integers.

#include "format.h"

#define TRAP(name) __attribute__((import_module("trap"), import_name(name), noreturn))

TRAP("invalid_conversion") void trap_invalid_conversion(void);
TRAP("integer_overflow") void trap_integer_overflow(void);

INLINE uint64_t promote(uint64_t a) {
    uint64_t sign = sign_of(a, F32) << 32, size = magnitude(a, F32);
    if (size > infinity(F32)) return not_a_number(F64);
    if (size == infinity(F32)) return sign | infinity(F64);
    if (size == 0) return sign;
    Number number = of_nonzero(size, F32);
    number.exponent += bias(F64) - bias(F32);
    return encode_normal(sign, number, F64);
}

INLINE uint64_t demote(uint64_t a) {
    uint64_t sign = sign_of(a, F64) >> 32, size = magnitude(a, F64);
    if (size > infinity(F64)) return not_a_number(F32);
    if (size == infinity(F64)) return sign | infinity(F32);
    // Subnormal numbers are much smaller than any of the other format.
    if (size < smallest_normal(F64)) return sign;
    Number number = of_normal(size, F64);
    number.exponent -= bias(F64) - bias(F32);
    return encode(sign, number, F32);
}

INLINE uint64_t of_unsigned(uint64_t sign, uint64_t size, Format format) {
    if (size == 0) return 0;
    int leading = __builtin_clzll(size);
    uint64_t significand = size << leading;
    // A bit is lost, and both formats have fewer than are left.
    significand = significand >> 1 | (significand & 1);
    return encode_normal(sign, (Number){bias(format) + 63 - leading, with_leading_one(significand)}, format);
}

INLINE uint64_t of_signed(int64_t value, Format format) {
    uint64_t mask = negative((uint64_t)value);
    return of_unsigned(mask & sign_bit(format), ((uint64_t)value ^ mask) - mask, format);
}

// An integer type.
typedef struct {
    int width;
    bool is_signed;
} Integer;

#define S32 ((Integer){32, true})
#define U32 ((Integer){32, false})
#define S64 ((Integer){64, true})
#define U64 ((Integer){64, false})

// The encoding of a power of two.
INLINE uint64_t power(int exponent, Format format) {
    return (uint64_t)(exponent + bias(format)) << format.fraction;
}

// The smallest magnitude whose integral part is too large, for positive floats.
INLINE uint64_t limit_above(Integer integer, Format format) {
    return power(integer.width - integer.is_signed, format);
}

// The same for negative floats.
INLINE uint64_t limit_below(Integer integer, Format format) {
    if (!integer.is_signed) return one(format);
    uint64_t least = power(integer.width - 1, format);
    // The least integer has a successor in the same binade, which is an integer or lies between two of them.
    int places = format.fraction - (integer.width - 1);
    return least + (1ULL << (places > 0 ? places : 0));
}

INLINE bool is_outside(uint64_t a, Integer integer, Format format) {
    uint64_t above = limit_above(integer, format), below = limit_below(integer, format);
    uint64_t limit = above + ((below - above) & sign_mask(a, format));
    return magnitude(a, format) >= limit;
}

// The integral part of a float that is inside.
INLINE uint64_t integral(uint64_t a, Format format) {
    uint64_t size = magnitude(a, format);
    if (size < one(format)) return 0;
    int exponent = exponent_of(size, format) - bias(format);
    uint64_t significand = (fraction_of(a, format) | smallest_normal(format)) << (63 - format.fraction);
    uint64_t mask = sign_mask(a, format);
    return ((significand >> (63 - exponent)) ^ mask) - mask;
}

INLINE uint64_t truncate(uint64_t a, Integer integer, Format format) {
    if (magnitude(a, format) > infinity(format)) trap_invalid_conversion();
    if (is_outside(a, integer, format)) trap_integer_overflow();
    return integral(a, format);
}

INLINE uint64_t saturate(uint64_t a, Integer integer, Format format) {
    if (magnitude(a, format) > infinity(format)) return 0;
    if (is_outside(a, integer, format)) {
        uint64_t mask = sign_mask(a, format);
        uint64_t greatest = ~0ULL >> (64 - integer.width + integer.is_signed);
        // The complement of the greatest is the least.
        return integer.is_signed ? greatest ^ mask : greatest & ~mask;
    }
    return integral(a, format);
}

EXPORT("f64.promote_f32") uint64_t f64_promote_f32(uint32_t a) { return promote(a); }
EXPORT("f32.demote_f64") uint32_t f32_demote_f64(uint64_t a) { return demote(a); }

EXPORT("f32.convert_i32_s") uint32_t f32_convert_i32_s(int32_t a) { return of_signed(a, F32); }
EXPORT("f32.convert_i32_u") uint32_t f32_convert_i32_u(uint32_t a) { return of_unsigned(0, a, F32); }
EXPORT("f32.convert_i64_s") uint32_t f32_convert_i64_s(int64_t a) { return of_signed(a, F32); }
EXPORT("f32.convert_i64_u") uint32_t f32_convert_i64_u(uint64_t a) { return of_unsigned(0, a, F32); }
EXPORT("f64.convert_i32_s") uint64_t f64_convert_i32_s(int32_t a) { return of_signed(a, F64); }
EXPORT("f64.convert_i32_u") uint64_t f64_convert_i32_u(uint32_t a) { return of_unsigned(0, a, F64); }
EXPORT("f64.convert_i64_s") uint64_t f64_convert_i64_s(int64_t a) { return of_signed(a, F64); }
EXPORT("f64.convert_i64_u") uint64_t f64_convert_i64_u(uint64_t a) { return of_unsigned(0, a, F64); }

EXPORT("i32.trunc_f32_s") uint32_t i32_trunc_f32_s(uint32_t a) { return truncate(a, S32, F32); }
EXPORT("i32.trunc_f32_u") uint32_t i32_trunc_f32_u(uint32_t a) { return truncate(a, U32, F32); }
EXPORT("i32.trunc_f64_s") uint32_t i32_trunc_f64_s(uint64_t a) { return truncate(a, S32, F64); }
EXPORT("i32.trunc_f64_u") uint32_t i32_trunc_f64_u(uint64_t a) { return truncate(a, U32, F64); }
EXPORT("i64.trunc_f32_s") uint64_t i64_trunc_f32_s(uint32_t a) { return truncate(a, S64, F32); }
EXPORT("i64.trunc_f32_u") uint64_t i64_trunc_f32_u(uint32_t a) { return truncate(a, U64, F32); }
EXPORT("i64.trunc_f64_s") uint64_t i64_trunc_f64_s(uint64_t a) { return truncate(a, S64, F64); }
EXPORT("i64.trunc_f64_u") uint64_t i64_trunc_f64_u(uint64_t a) { return truncate(a, U64, F64); }

EXPORT("i32.trunc_sat_f32_s") uint32_t i32_trunc_sat_f32_s(uint32_t a) { return saturate(a, S32, F32); }
EXPORT("i32.trunc_sat_f32_u") uint32_t i32_trunc_sat_f32_u(uint32_t a) { return saturate(a, U32, F32); }
EXPORT("i32.trunc_sat_f64_s") uint32_t i32_trunc_sat_f64_s(uint64_t a) { return saturate(a, S32, F64); }
EXPORT("i32.trunc_sat_f64_u") uint32_t i32_trunc_sat_f64_u(uint64_t a) { return saturate(a, U32, F64); }
EXPORT("i64.trunc_sat_f32_s") uint64_t i64_trunc_sat_f32_s(uint32_t a) { return saturate(a, S64, F32); }
EXPORT("i64.trunc_sat_f32_u") uint64_t i64_trunc_sat_f32_u(uint32_t a) { return saturate(a, U64, F32); }
EXPORT("i64.trunc_sat_f64_s") uint64_t i64_trunc_sat_f64_s(uint64_t a) { return saturate(a, S64, F64); }
EXPORT("i64.trunc_sat_f64_u") uint64_t i64_trunc_sat_f64_u(uint64_t a) { return saturate(a, U64, F64); }
