/* Decompresses a stream of zlib or gzip. */
#include <zlib.h>

#include "read_all.h"

int main(void) {
    size_t length;
    static unsigned char output[512];
    z_stream stream = {0};
    unsigned char *input = read_all(&length);
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        return 1;
    stream.next_in = input;
    stream.avail_in = (unsigned)length;
    stream.next_out = output;
    stream.avail_out = sizeof output;
    int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return status != Z_STREAM_END;
}
