/* The functions that a shared library has, read from its file: nothing of it runs. */
#ifndef DIFFCHECK_SYMBOLS_H
#define DIFFCHECK_SYMBOLS_H
#include "../engine/diffcheck.h"

enum { SYMBOLS_NAME = 1024 };

/* The symbol of the function of that name: as it stands there, or demangled and without its
 * parameters, ns::softmax<float>. An error says what the library has, where there is none or more
 * than one, or why the file is no library for this machine. */
dc_status symbols_find(const char *path, const char *name, char symbol[SYMBOLS_NAME],
                       dc_error *err);

/* Whether the function of that symbol goes by the name, which is the symbol or its demangled form without
 * parameters; `shown` is what people call it. */
int symbols_goes_by(const char *symbol, const char *name, char *shown, size_t room);
#endif
