// Follows two events through states.
#include <unistd.h>

int main(void) {
    unsigned char in[2] = {0};
    if (read(0, in, sizeof in) < 2)
        return 0;
    int state = in[0] == '!' ? 1 : 0;
    state = in[1] == '?' ? state + 2 : state;
    switch (state) {
    case 0:
        return 0;
    case 1:
    case 2:
        return 1;
    default:
        __builtin_trap();
    }
}
