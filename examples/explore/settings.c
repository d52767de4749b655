// Splits settings such as "colour=blue" in place. There is no main function: `sundry explore --function split` calls the
// function with symbolic arguments.
//
// One of the paths goes wrong: a text without '=' is read beyond its end.
//
// The module beside this file is made in the root of the repository by
//   sundry cc examples/explore/settings.c -ffile-compilation-dir=. --export split -o examples/explore/settings.wasm
#include <stddef.h>

struct setting {
    char name[4];
    const char *value;
};

int split(const char *text, struct setting *setting) {
    size_t size = 0;
    while (text[size] != '=')
        size++;
    if (size >= sizeof setting->name)
        return -1;
    for (size_t i = 0; i < size; i++)
        setting->name[i] = text[i];
    setting->name[size] = 0;
    setting->value = text + size + 1;
    return 0;
}
