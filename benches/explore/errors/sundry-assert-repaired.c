// Sorts three bytes.
#include <unistd.h>

#ifdef __wasm__
#include <sundry.h>
#else
#include <assert.h>
#define sundry_assert assert
#endif

static void order(unsigned char *one, unsigned char *other) {
    if (*one > *other) {
        unsigned char kept = *one;
        *one = *other;
        *other = kept;
    }
}

int main(void) {
    unsigned char in[3] = {0};
    if (read(0, in, sizeof in) < 3)
        return 0;
    order(&in[0], &in[1]);
    order(&in[1], &in[2]);
    order(&in[0], &in[1]);
    sundry_assert(in[0] <= in[1] && in[1] <= in[2]);
    return 0;
}
