// Shows the days of a month.
#include <unistd.h>

int main(void) {
    unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned char month = 0;
    if (read(0, &month, 1) < 1)
        return 0;
    if (month < 1 || month > 12)
        return 1;
    volatile unsigned char *chosen = days;
    unsigned char shown = chosen[month - 1];
    write(1, &shown, 1);
    return 0;
}
