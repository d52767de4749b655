// Encodings of floats, and numbers taken apart and put together.
//
// A float is its encoding in the low bits of a word of 64 bits, whatever its format, so that each function is written once for both formats. The compiler inlines everything
// and knows the format then. A number in between has a significand whose leading one is bit 62 and whose lowest bit says whether anything below it was lost.
//
// Each branch of this library is a decision for an exploration, also where the compiler makes a conditional move of it. So there are branches only between kinds of
// values that a person tells apart (not a number, infinite, zero, subnormal, too large, too small), and arithmetic wherever a value depends on a condition otherwise.

#include <stdbool.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))
#define EXPORT(name) __attribute__((export_name(name)))

// The place of the leading one of a significand.
#define TOP 62

typedef struct {
    int width;
    int fraction; // The number of bits of the fraction.
} Format;

#define F32 ((Format){32, 23})
#define F64 ((Format){64, 52})

// A number that is neither zero nor infinite: significand / 2^TOP * 2^(exponent - bias).
typedef struct {
    int exponent;
    uint64_t significand;
} Number;

INLINE int bias(Format format) { return (1 << (format.width - format.fraction - 2)) - 1; }
INLINE int greatest_exponent(Format format) { return 2 * bias(format) + 1; }
INLINE uint64_t sign_bit(Format format) { return 1ULL << (format.width - 1); }
INLINE uint64_t smallest_normal(Format format) { return 1ULL << format.fraction; }
INLINE uint64_t infinity(Format format) { return (uint64_t)greatest_exponent(format) << format.fraction; }
INLINE uint64_t not_a_number(Format format) { return infinity(format) | 1ULL << (format.fraction - 1); }
INLINE uint64_t one(Format format) { return (uint64_t)bias(format) << format.fraction; }

INLINE uint64_t sign_of(uint64_t bits, Format format) { return bits & sign_bit(format); }
INLINE uint64_t magnitude(uint64_t bits, Format format) { return bits & (sign_bit(format) - 1); }
INLINE int exponent_of(uint64_t magnitude, Format format) { return (int)(magnitude >> format.fraction); }
INLINE uint64_t fraction_of(uint64_t bits, Format format) { return bits & (smallest_normal(format) - 1); }

// A value of which the compiler knows nothing, so that it makes no conditional move of what follows from it.
INLINE uint64_t opaque(uint64_t value) {
    __asm__("" : "+r"(value));
    return value;
}

// A condition of which the compiler knows nothing, so that it makes one branch of it also where it has several parts.
INLINE bool whole(bool condition) {
    int value = condition;
    __asm__("" : "+r"(value));
    return value;
}

// All ones for a negative integer, and zero for others.
INLINE uint64_t negative(uint64_t value) { return opaque((uint64_t)((int64_t)opaque(value) >> 63)); }

// One of two values, by a mask that is all ones or zero.
INLINE uint64_t choose(uint64_t mask, uint64_t then, uint64_t otherwise) { return (then & mask) | (otherwise & ~mask); }

// All ones for a negative float, and zero for others.
INLINE uint64_t sign_mask(uint64_t bits, Format format) { return negative(bits << (64 - format.width)); }

// A significand that has its leading one, as a solver need not find out.
INLINE uint64_t with_leading_one(uint64_t significand) { return significand | 1ULL << TOP; }

// A number of at least the smallest normal one.
INLINE Number of_normal(uint64_t magnitude, Format format) {
    uint64_t significand = fraction_of(magnitude, format) | smallest_normal(format);
    return (Number){exponent_of(magnitude, format), significand << (TOP - format.fraction)};
}

// A number below the smallest normal one.
INLINE Number of_subnormal(uint64_t magnitude, Format format) {
    int places = __builtin_clzll(magnitude) - (63 - TOP);
    return (Number){1 + TOP - format.fraction - places, with_leading_one(magnitude << places)};
}

INLINE Number of_nonzero(uint64_t magnitude, Format format) {
    return magnitude < smallest_normal(format) ? of_subnormal(magnitude, format) : of_normal(magnitude, format);
}

// Shifts by at least 0 places, with a lowest bit for what is lost.
INLINE uint64_t shift_right(uint64_t significand, int places) {
    // More than 63 places are 63.
    places = (places | (int)negative((uint64_t)(63 - places))) & 63;
    uint64_t lost = significand & ((1ULL << places) - 1);
    return significand >> places | (lost != 0);
}

// Rounds to the nearest number of a format, or to the even one of two, where the exponent is one of normal numbers. Where all bits are ones, the sum becomes the next power
// of two, or infinite.
INLINE uint64_t encode_normal(uint64_t sign, Number number, Format format) {
    int places = TOP - format.fraction;
    uint64_t is_odd = number.significand >> places & 1;
    uint64_t rounded = (number.significand + ((1ULL << (places - 1)) - 1) + is_odd) >> places;
    return sign | (((uint64_t)(number.exponent - 1) << format.fraction) + rounded);
}

// Rounds to the nearest number of a format.
INLINE uint64_t encode(uint64_t sign, Number number, Format format) {
    if (number.exponent >= greatest_exponent(format)) return sign | infinity(format);
    if (number.exponent < 1) {
        number.significand = shift_right(number.significand, 1 - number.exponent);
        number.exponent = 1;
    }
    return encode_normal(sign, number, format);
}
