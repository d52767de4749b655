/* Decodes an image of the one format that the macro of the build names, such as STBI_ONLY_PNG. */
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_THREAD_LOCALS
#define STBI_MAX_DIMENSIONS 64
#include <stb_image.h>

#include "read_all.h"

int main(void) {
    size_t length;
    int width, height, channels;
    const unsigned char *input = read_all(&length);
    unsigned char *image = stbi_load_from_memory(input, (int)length, &width, &height, &channels, 0);
    stbi_image_free(image);
    return image == NULL;
}
