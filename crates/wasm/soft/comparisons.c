// Comparisons without branches, and the smaller or greater of two floats.

#include "format.h"

INLINE bool are_ordered(uint64_t a, uint64_t b, Format format) {
    return (magnitude(a, format) <= infinity(format)) & (magnitude(b, format) <= infinity(format));
}

// An integer that is ordered as the float is; both zeros are zero.
INLINE int64_t order(uint64_t bits, Format format) {
    uint64_t mask = sign_mask(bits, format);
    return (int64_t)((magnitude(bits, format) ^ mask) - mask);
}

INLINE bool equal(uint64_t a, uint64_t b, Format format) {
    return are_ordered(a, b, format) & (order(a, format) == order(b, format));
}

INLINE bool less(uint64_t a, uint64_t b, Format format) {
    return are_ordered(a, b, format) & (order(a, format) < order(b, format));
}

INLINE bool at_most(uint64_t a, uint64_t b, Format format) {
    return are_ordered(a, b, format) & (order(a, format) <= order(b, format));
}

// Whether the first is smaller, where negative zero is smaller than the other one.
INLINE bool is_below(uint64_t a, uint64_t b, Format format) {
    uint64_t mask_a = sign_mask(a, format), mask_b = sign_mask(b, format);
    int unused = 64 - format.width;
    return (int64_t)(a << unused ^ mask_a >> 1) < (int64_t)(b << unused ^ mask_b >> 1);
}

INLINE uint64_t minimum(uint64_t a, uint64_t b, Format format) {
    if (!whole(are_ordered(a, b, format))) return not_a_number(format);
    return is_below(a, b, format) ? a : b;
}

INLINE uint64_t maximum(uint64_t a, uint64_t b, Format format) {
    if (!whole(are_ordered(a, b, format))) return not_a_number(format);
    return is_below(a, b, format) ? b : a;
}

EXPORT("f32.eq") uint32_t f32_eq(uint32_t a, uint32_t b) { return equal(a, b, F32); }
EXPORT("f32.ne") uint32_t f32_ne(uint32_t a, uint32_t b) { return !equal(a, b, F32); }
EXPORT("f32.lt") uint32_t f32_lt(uint32_t a, uint32_t b) { return less(a, b, F32); }
EXPORT("f32.gt") uint32_t f32_gt(uint32_t a, uint32_t b) { return less(b, a, F32); }
EXPORT("f32.le") uint32_t f32_le(uint32_t a, uint32_t b) { return at_most(a, b, F32); }
EXPORT("f32.ge") uint32_t f32_ge(uint32_t a, uint32_t b) { return at_most(b, a, F32); }
EXPORT("f32.min") uint32_t f32_min(uint32_t a, uint32_t b) { return minimum(a, b, F32); }
EXPORT("f32.max") uint32_t f32_max(uint32_t a, uint32_t b) { return maximum(a, b, F32); }

EXPORT("f64.eq") uint32_t f64_eq(uint64_t a, uint64_t b) { return equal(a, b, F64); }
EXPORT("f64.ne") uint32_t f64_ne(uint64_t a, uint64_t b) { return !equal(a, b, F64); }
EXPORT("f64.lt") uint32_t f64_lt(uint64_t a, uint64_t b) { return less(a, b, F64); }
EXPORT("f64.gt") uint32_t f64_gt(uint64_t a, uint64_t b) { return less(b, a, F64); }
EXPORT("f64.le") uint32_t f64_le(uint64_t a, uint64_t b) { return at_most(a, b, F64); }
EXPORT("f64.ge") uint32_t f64_ge(uint64_t a, uint64_t b) { return at_most(b, a, F64); }
EXPORT("f64.min") uint64_t f64_min(uint64_t a, uint64_t b) { return minimum(a, b, F64); }
EXPORT("f64.max") uint64_t f64_max(uint64_t a, uint64_t b) { return maximum(a, b, F64); }
