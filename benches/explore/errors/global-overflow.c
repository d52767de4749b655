// Counts letters.
#include <unistd.h>

static int counts[26];
static volatile int others = 7;

int main(void) {
    unsigned char in = 0;
    if (read(0, &in, 1) < 1)
        return 0;
    unsigned letter = in - (unsigned)'a';
    if (letter < 32)
        counts[letter]++;
    return counts[0] == others;
}
