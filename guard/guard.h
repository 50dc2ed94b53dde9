/* What guard.go may ask of guard.c. */
#ifndef TALLY_GUARD_H
#define TALLY_GUARD_H

/* The descriptor that messages go to, negative if that is 2 as usual. */
int tally_guard_stderr(void);

/* Gives a signal back its effect in a process that knows of no handlers. */
void tally_guard_default(int signal);

#endif
