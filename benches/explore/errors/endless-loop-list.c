// Walks a list whose links come from the input.
#include <unistd.h>

int main(void) {
    unsigned char links[4] = {255, 255, 255, 255};
    long n = read(0, links, sizeof links);
    volatile int length = 0;
    for (unsigned char at = 0; n > 0 && at < 4; at = links[at])
        length++;
    return length == 3;
}
