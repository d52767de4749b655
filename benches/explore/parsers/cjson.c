/* Parses a JSON value, prints it and frees it. */
#include <cJSON.h>

#include "read_all.h"

int main(void) {
    size_t length;
    const char *text = (const char *)read_all(&length);
    cJSON *value = cJSON_ParseWithLength(text, length);
    if (!value)
        return 1;
    cJSON_free(cJSON_PrintUnformatted(value));
    cJSON_Delete(value);
    return 0;
}
