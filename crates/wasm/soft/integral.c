// Floats rounded to integral floats.

#include "format.h"

// Rounds towards zero, or away from it if the mask is all ones.
INLINE uint64_t directed(uint64_t a, uint64_t away, Format format) {
    uint64_t sign = sign_of(a, format), size = magnitude(a, format);
    if (size > infinity(format)) return not_a_number(format);
    int exponent = exponent_of(size, format) - bias(format);
    if (whole((exponent >= format.fraction) | (size == 0))) return a;
    if (exponent < 0) return sign | (one(format) & away);
    uint64_t below_one = (smallest_normal(format) - 1) >> exponent;
    return sign | ((size + (below_one & away)) & ~below_one);
}

INLINE uint64_t nearest(uint64_t a, Format format) {
    uint64_t sign = sign_of(a, format), size = magnitude(a, format);
    if (size > infinity(format)) return not_a_number(format);
    int exponent = exponent_of(size, format) - bias(format);
    if (exponent >= format.fraction) return a;
    uint64_t half = one(format) - smallest_normal(format);
    if (exponent < 0) return size > half ? sign | one(format) : sign;
    int places = format.fraction - exponent;
    // From 1 to 2, the lowest bit of the exponent stands for the leading one: both are odd.
    uint64_t is_odd = size >> places & 1;
    uint64_t rounded = size + ((1ULL << (places - 1)) - 1) + is_odd;
    return sign | (rounded & ~((1ULL << places) - 1));
}

EXPORT("f32.ceil") uint32_t f32_ceil(uint32_t a) { return directed(a, sign_mask(a ^ sign_bit(F32), F32), F32); }
EXPORT("f32.floor") uint32_t f32_floor(uint32_t a) { return directed(a, sign_mask(a, F32), F32); }
EXPORT("f32.trunc") uint32_t f32_trunc(uint32_t a) { return directed(a, 0, F32); }
EXPORT("f32.nearest") uint32_t f32_nearest(uint32_t a) { return nearest(a, F32); }

EXPORT("f64.ceil") uint64_t f64_ceil(uint64_t a) { return directed(a, sign_mask(a ^ sign_bit(F64), F64), F64); }
EXPORT("f64.floor") uint64_t f64_floor(uint64_t a) { return directed(a, sign_mask(a, F64), F64); }
EXPORT("f64.trunc") uint64_t f64_trunc(uint64_t a) { return directed(a, 0, F64); }
EXPORT("f64.nearest") uint64_t f64_nearest(uint64_t a) { return nearest(a, F64); }
