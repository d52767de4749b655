// Encodes a byte in two halves and decodes it.
#include <unistd.h>

#ifdef __wasm__
#include <sundry.h>
#else
#include <assert.h>
#define sundry_assert assert
#endif

int main(void) {
    unsigned char in = 0;
    if (read(0, &in, 1) < 1)
        return 0;
    signed char high = (signed char)(in & 0xf0), low = (signed char)(in & 0x0f);
    int decoded = high | low;
    sundry_assert(decoded == in);
    return 0;
}
