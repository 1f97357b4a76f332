/* The type of an index, for texts that are instantiated by inclusion, before which is defined
 *   WINDOW_NARROW   1: indices are int, where no place along an axis, no position in a line and no tap is
 *                   past 2^31, for divisions of 64 bits would take most of the time; 0: they are idx */
#undef WINDOW_
#undef INDEX
#undef INDEX_MOST
#if WINDOW_NARROW
#define WINDOW_(name) name##_narrow
#define INDEX int
#define INDEX_MOST 0x7fffffff
#else
#define WINDOW_(name) name##_wide
#define INDEX idx
#define INDEX_MOST 0x3fffffffffffffff
#endif
