// Adds one to what a tagged value holds: a number or a cell.
#include <stdint.h>
#include <unistd.h>

static volatile int cell;

int main(void) {
    unsigned char in[2] = {0};
    if (read(0, in, sizeof in) < 2)
        return 0;
    int is_number = in[0] == 'N';
    uintptr_t value = is_number ? 0xfffff000u + in[1] : (uintptr_t)&cell;
    if (is_number)
        return in[1] & 1;
    volatile int *place = (volatile int *)(value & ~(uintptr_t)3);
    *place += 1;
    return 0;
}
