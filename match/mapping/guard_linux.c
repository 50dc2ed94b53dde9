// The handler for SIGBUS. The page that cannot be had is replaced by one of
// zeros, so that whoever reads it goes on; that it was is noted. What was not
// caused by guarded memory is handed to the handler that was there before,
// which is Go's.

#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 64

static struct slot {
	_Atomic uintptr_t from, to; // to is 0 while the slot is free, 1 while it is being taken
	atomic_bool damaged;
} slots[SLOTS];

static struct sigaction before;
static uintptr_t page;
static bool installed;

static bool replace(uintptr_t at) {
	for (int i = 0; i < SLOTS; i++) {
		struct slot *s = &slots[i];
		uintptr_t to = atomic_load(&s->to);
		if (at >= to || at < atomic_load(&s->from)) {
			continue;
		}
		atomic_store(&s->damaged, true);
		return mmap((void *)(at & ~(page - 1)), page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
	}
	return false;
}

static void on_bus(int number, siginfo_t *info, void *context) {
	int saved = errno;
	bool done = replace((uintptr_t)info->si_addr);
	errno = saved;
	if (done) {
		return;
	}
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(number, info, context);
	} else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
		signal(number, SIG_DFL); // it comes again as soon as this returns
	} else {
		before.sa_handler(number);
	}
}

static void install(void) {
	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	if (sigaction(SIGBUS, NULL, &before) != 0) {
		return;
	}
	struct sigaction own = before;
	own.sa_sigaction = on_bus;
	own.sa_flags |= SA_SIGINFO | SA_ONSTACK;
	installed = sigaction(SIGBUS, &own, NULL) == 0;
}

int tally_guard(void *memory, size_t size) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, install);
	if (!installed) {
		return -1;
	}
	for (int i = 0; i < SLOTS; i++) {
		uintptr_t none = 0;
		if (atomic_compare_exchange_strong(&slots[i].to, &none, 1)) {
			atomic_store(&slots[i].damaged, false);
			atomic_store(&slots[i].from, (uintptr_t)memory);
			atomic_store(&slots[i].to, (uintptr_t)memory + size);
			return i;
		}
	}
	return -1;
}

bool tally_guard_damaged(int slot) { return atomic_load(&slots[slot].damaged); }

void tally_unguard(int slot) { atomic_store(&slots[slot].to, 0); }
