// Looks up a key and shows its value.
#include <unistd.h>

struct entry {
    unsigned char key, value;
};

static struct entry entries[] = {{'a', 'A'}, {'b', 'B'}};

__attribute__((noinline)) static struct entry *find(unsigned char key) {
    for (int i = 0; i < 2; i++)
        if (entries[i].key == key)
            return &entries[i];
    return 0;
}

int main(void) {
    unsigned char key = 0;
    if (read(0, &key, 1) < 1)
        return 0;
    struct entry *entry = find(key);
    if (!entry)
        return 1;
    write(1, &entry->value, 1);
    return 0;
}
