/* Parses a YAML stream to its events. */
#include <yaml.h>

#include "read_all.h"

int main(void) {
    size_t length;
    const unsigned char *input = read_all(&length);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return 1;
    yaml_parser_set_input_string(&parser, input, length);
    int is_at_end = 0, is_valid = 1;
    while (is_valid && !is_at_end) {
        yaml_event_t event;
        is_valid = yaml_parser_parse(&parser, &event);
        if (is_valid) {
            is_at_end = event.type == YAML_STREAM_END_EVENT;
            yaml_event_delete(&event);
        }
    }
    yaml_parser_delete(&parser);
    return !is_valid;
}
