// Computes a rate over the difference of two times.
#include <unistd.h>

int main(void) {
    unsigned char in[2] = {0};
    if (read(0, in, sizeof in) < 2 || in[0] == 0)
        return 0;
    int difference = in[1] - in[0];
    char rate = (char)(1000 / difference);
    write(1, &rate, 1);
    return 0;
}
