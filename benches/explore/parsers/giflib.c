/* Reads all images of a GIF. */
#include <gif_lib.h>
#include <string.h>

#include "read_all.h"

static unsigned char *input;
static size_t length, position;

static int next_bytes(GifFileType *file, GifByteType *to, int count) {
    (void)file;
    size_t left = length - position, wanted = (size_t)count;
    size_t given = wanted < left ? wanted : left;
    memcpy(to, input + position, given);
    position += given;
    return (int)given;
}

int main(void) {
    int error;
    input = read_all(&length);
    GifFileType *file = DGifOpen(NULL, next_bytes, &error);
    if (!file)
        return 1;
    int status = DGifSlurp(file);
    DGifCloseFile(file, &error);
    return status != GIF_OK;
}
