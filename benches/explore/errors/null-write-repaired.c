// Opens (O), stores into (S) and ends (E) a section.
#include <unistd.h>

struct section {
    volatile int stores;
};

int main(void) {
    struct section only = {0};
    struct section *open = &only;
    unsigned char in[4] = {0};
    long n = read(0, in, sizeof in);
    for (long i = 0; i < n; i++) {
        if (in[i] == 'O')
            open = &only;
        else if (in[i] == 'E')
            open = 0;
        else if (in[i] == 'S' && open)
            open->stores++;
    }
    return 0;
}
