// Reads a list of labels from standard input and copies them to the heap. The input is a byte with the number of labels,
// then for each label a byte with its kind, a byte with its length, and its text:
//
//   'P' plain: the text as it is
//   'Q' quoted: each quotation mark in the text is doubled
//
// One of the paths writes behind the end of a block: the room for a quoted label counts the marks of its first half only.
//
// The module beside this file is made in the root of the repository by
//   sundry cc examples/explore/labels.c -ffile-compilation-dir=. -o examples/explore/labels.wasm
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LABELS = 4, LONGEST = 8 };

static unsigned char input[64];
static size_t length, place;

static int next(void) {
    return place < length ? input[place++] : -1;
}

static size_t count_marks(const unsigned char *text, size_t size) {
    size_t marks = 0;
    for (size_t i = 0; i < size / 2; i++)
        marks += text[i] == '"';
    return marks;
}

static char *plain(const unsigned char *text, size_t size) {
    char *copy = malloc(size + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = 0;
    return copy;
}

static char *quoted(const unsigned char *text, size_t size) {
    char *copy = malloc(size + count_marks(text, size) + 1);
    if (!copy)
        return NULL;
    size_t end = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            copy[end++] = '"';
        copy[end++] = (char)text[i];
    }
    copy[end] = 0;
    return copy;
}

static char *label(void) {
    int kind = next(), size = next();
    if (size < 0 || size > LONGEST || place + (size_t)size > length)
        return NULL;
    const unsigned char *text = input + place;
    place += (size_t)size;
    switch (kind) {
    case 'P':
        return plain(text, (size_t)size);
    case 'Q':
        return quoted(text, (size_t)size);
    default:
        return NULL;
    }
}

int main(void) {
    ssize_t count = read(0, input, sizeof input);
    length = count > 0 ? (size_t)count : 0;
    int labels = next();
    if (labels < 1 || labels > MOST_LABELS)
        return 2;
    for (int i = 0; i < labels; i++) {
        char *text = label();
        if (!text)
            return 1;
        write(1, text, strlen(text));
        write(1, "\n", 1);
        free(text);
    }
    return 0;
}
