// Sums, products, quotients and roots, rounded to the nearest.

#include "format.h"

// Moves the leading one of a significand from bit 61 to bit 62, if it is there.
INLINE Number settled(int exponent, uint64_t significand) {
    int places = 1 - (int)(significand >> TOP);
    return (Number){exponent - places, with_leading_one(significand << places)};
}

// Appends the digit 0 or 1, by a mask that is all ones or zero.
INLINE uint64_t with_digit(uint64_t digits, uint64_t is_zero) { return digits << 1 | (~is_zero & 1); }

INLINE uint64_t add(uint64_t a, uint64_t b, Format format) {
    uint64_t size_a = magnitude(a, format), size_b = magnitude(b, format);
    if (whole((size_a >= infinity(format)) | (size_b >= infinity(format)))) {
        bool is_number = (size_a <= infinity(format)) & (size_b <= infinity(format));
        bool are_opposite = (a ^ b) == sign_bit(format);
        if (whole(!is_number | are_opposite)) return not_a_number(format);
        return size_a == infinity(format) ? a : b;
    }
    // The larger one goes first.
    uint64_t swaps = negative(size_a - size_b), first = choose(swaps, b, a);
    b = choose(swaps, a, b);
    a = first;
    int exponent_a = exponent_of(magnitude(a, format), format), exponent_b = exponent_of(magnitude(b, format), format);
    uint64_t is_normal_a = opaque(exponent_a != 0), is_normal_b = opaque(exponent_b != 0);
    exponent_a += 1 - (int)is_normal_a;
    exponent_b += 1 - (int)is_normal_b;
    // Leading ones at bit 61 leave a bit for the carry.
    int places = TOP - 1 - format.fraction;
    uint64_t significand_a = (fraction_of(a, format) | is_normal_a << format.fraction) << places;
    uint64_t significand_b = (fraction_of(b, format) | is_normal_b << format.fraction) << places;
    significand_b = shift_right(significand_b, exponent_a - exponent_b);
    uint64_t subtracts = sign_mask(a ^ b, format);
    uint64_t sum = significand_a + ((significand_b ^ subtracts) - subtracts);
    if (sum == 0) return sign_of(a & b, format);
    int leading = __builtin_clzll(sum) - (63 - TOP);
    return encode(sign_of(a, format), (Number){exponent_a + 1 - leading, with_leading_one(sum << leading)}, format);
}

// The product of two significands, with its leading one at bit 61 or 62.
INLINE uint64_t product(uint64_t a, uint64_t b, Format format) {
    a >>= TOP - format.fraction;
    b >>= TOP - format.fraction;
    if (format.width == 32) return (a * b) << (TOP - 1 - 2 * format.fraction);
    uint64_t low_a = (uint32_t)a, low_b = (uint32_t)b, high_a = a >> 32, high_b = b >> 32;
    uint64_t low = low_a * low_b;
    uint64_t middle = (low >> 32) + high_a * low_b + low_a * high_b;
    // The leading one of the whole product is bit 104 or 105.
    uint64_t lost = (middle & 0x7ff) | (uint32_t)low;
    return ((high_a * high_b << 21) + (middle >> 11)) | (lost != 0);
}

INLINE uint64_t multiply(uint64_t a, uint64_t b, Format format) {
    uint64_t sign = sign_of(a ^ b, format);
    a = magnitude(a, format);
    b = magnitude(b, format);
    if (whole((a >= infinity(format)) | (b >= infinity(format)))) {
        bool is_number = (a <= infinity(format)) & (b <= infinity(format)) & (a != 0) & (b != 0);
        return whole(is_number) ? sign | infinity(format) : not_a_number(format);
    }
    if (whole((a == 0) | (b == 0))) return sign;
    Number x = of_nonzero(a, format), y = of_nonzero(b, format);
    int exponent = x.exponent + y.exponent - bias(format) + 1;
    return encode(sign, settled(exponent, product(x.significand, y.significand, format)), format);
}

// The quotient of two significands of which the first is not smaller, with its leading one at bit 62.
INLINE uint64_t quotient(uint64_t a, uint64_t b, Format format) {
    // The first digit is 1.
    uint64_t divisor = b >> (TOP - 1 - format.fraction), rest = (a >> (TOP - 1 - format.fraction)) - divisor, digits = 1;
#pragma clang loop unroll(disable)
    for (int digit = 0; digit < format.fraction + 1; digit++) {
        rest <<= 1;
        uint64_t difference = rest - divisor;
        uint64_t is_negative = negative(difference);
        rest = choose(is_negative, rest, difference);
        digits = with_digit(digits, is_negative);
    }
    return digits << (TOP - format.fraction - 1) | (rest != 0);
}

INLINE uint64_t divide(uint64_t a, uint64_t b, Format format) {
    uint64_t sign = sign_of(a ^ b, format);
    a = magnitude(a, format);
    b = magnitude(b, format);
    if (whole((a >= infinity(format)) | (b >= infinity(format)))) {
        bool is_number = (a <= infinity(format)) & (b <= infinity(format)) & (a != b);
        if (!whole(is_number)) return not_a_number(format);
        return a == infinity(format) ? sign | infinity(format) : sign;
    }
    if (b == 0) return a == 0 ? not_a_number(format) : sign | infinity(format);
    if (a == 0) return sign;
    Number x = of_nonzero(a, format), y = of_nonzero(b, format);
    // The exponent is that before rounding, so that decisions about it do not depend on digits.
    uint64_t is_smaller = opaque(x.significand < y.significand);
    int exponent = x.exponent - y.exponent + bias(format) - (int)is_smaller;
    uint64_t significand = quotient(x.significand << is_smaller, y.significand, format);
    return encode(sign, (Number){exponent, significand}, format);
}

INLINE uint64_t square_root(uint64_t a, Format format) {
    uint64_t size = magnitude(a, format);
    if (size == 0) return a;
    if (whole((size > infinity(format)) | (a != size))) return not_a_number(format);
    if (size == infinity(format)) return a;
    Number x = of_nonzero(size, format);
    int exponent = x.exponent - bias(format);
    // Digit by digit: two digits of the radicand, which is between 1 and 4, for one of the root. The first one is 1.
    uint64_t radicand = x.significand << (exponent & 1), rest = (radicand >> 62) - 1, root = 1;
    radicand <<= 2;
#pragma clang loop unroll(disable)
    for (int digit = 0; digit < format.fraction + 1; digit++) {
        rest = rest << 2 | radicand >> 62;
        radicand <<= 2;
        uint64_t trial = root << 2 | 1;
        uint64_t difference = rest - trial;
        uint64_t is_negative = negative(difference);
        rest = choose(is_negative, rest, difference);
        root = with_digit(root, is_negative);
    }
    uint64_t significand = root << (TOP - format.fraction - 1) | (rest != 0);
    return encode_normal(0, (Number){(exponent >> 1) + bias(format), significand}, format);
}

EXPORT("f32.add") uint32_t f32_add(uint32_t a, uint32_t b) { return add(a, b, F32); }
EXPORT("f32.sub") uint32_t f32_sub(uint32_t a, uint32_t b) { return add(a, b ^ sign_bit(F32), F32); }
EXPORT("f32.mul") uint32_t f32_mul(uint32_t a, uint32_t b) { return multiply(a, b, F32); }
EXPORT("f32.div") uint32_t f32_div(uint32_t a, uint32_t b) { return divide(a, b, F32); }
EXPORT("f32.sqrt") uint32_t f32_sqrt(uint32_t a) { return square_root(a, F32); }

EXPORT("f64.add") uint64_t f64_add(uint64_t a, uint64_t b) { return add(a, b, F64); }
EXPORT("f64.sub") uint64_t f64_sub(uint64_t a, uint64_t b) { return add(a, b ^ sign_bit(F64), F64); }
EXPORT("f64.mul") uint64_t f64_mul(uint64_t a, uint64_t b) { return multiply(a, b, F64); }
EXPORT("f64.div") uint64_t f64_div(uint64_t a, uint64_t b) { return divide(a, b, F64); }
EXPORT("f64.sqrt") uint64_t f64_sqrt(uint64_t a) { return square_root(a, F64); }
