/* Decodes the frames of an MPEG audio stream (MP1, MP2, MP3) without synthesis. */
#include <frame.h>
#include <stream.h>

#include "read_all.h"

int main(void) {
    size_t length;
    const unsigned char *input = read_all(&length);
    struct mad_stream stream;
    struct mad_frame frame;
    mad_stream_init(&stream);
    mad_frame_init(&frame);
    mad_stream_buffer(&stream, input, length);
    int decoded = 0;
    for (;;) {
        if (mad_frame_decode(&frame, &stream) == 0)
            decoded++;
        else if (!MAD_RECOVERABLE(stream.error))
            break;
    }
    mad_frame_finish(&frame);
    mad_stream_finish(&stream);
    return decoded == 0;
}
