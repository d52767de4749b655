/* The configuration of expat for WebAssembly; the salt of its hash tables is fixed by the driver. */
#define BYTEORDER 1234
#define HAVE_MEMMOVE 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
#define XML_POOR_ENTROPY 1
