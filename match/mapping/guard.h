#ifndef TALLY_GUARD_H
#define TALLY_GUARD_H

#include <stdbool.h>
#include <stddef.h>

// tally_guard guards size bytes of memory, whole pages, against SIGBUS. It
// returns a slot, or -1 if there is none left or no handler can be installed.
int tally_guard(void *memory, size_t size);

// tally_guard_damaged says whether a page of the slot's memory was replaced.
bool tally_guard_damaged(int slot);

// tally_unguard gives the slot back, before the memory is unmapped.
void tally_unguard(int slot);

#endif
