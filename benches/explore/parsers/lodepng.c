/* Decodes a PNG to 32 bits a pixel. */
#include "lodepng.cpp"

#include "read_all.h"

int main(void) {
    size_t length;
    unsigned width, height;
    unsigned char *image = NULL;
    const unsigned char *input = read_all(&length);
    unsigned error = lodepng_decode32(&image, &width, &height, input, length);
    free(image);
    return error != 0;
}
