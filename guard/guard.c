/* What becomes of the process when Go's runtime, the C library or Rust gives
 * up: one sentence and exit code 2. See guard.go for the whole of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <malloc.h>
#endif

#include "guard.h"

/* Marks a process that was started anew, for guard.go to take out of the
 * environment again. */
#define MARK "TALLY_GUARDED"

static int messages = -1; /* where standard error went at the start */

int tally_guard_stderr(void) { return messages; }

void tally_guard_default(int sig) { signal(sig, SIG_DFL); }

#ifdef __linux__

/* What is looked for in the last words of the runtime, in this order. */
static const struct {
	const char *words, *reason;
} reasons[] = {
	{"malformed GOMEMLIMIT", "GOMEMLIMIT is malformed"},
	{"pthread_create failed", "the system starts no more threads for it"},
	{"newosproc", "the system starts no more threads for it"},
	{"thread exhaustion", "the system starts no more threads for it"},
	{"out of memory", "there is not enough memory"},
	{"memory allocation of", "there is not enough memory"},
	{"cannot allocate memory", "there is not enough memory"},
	{"failed to reserve", "there is not enough memory"},
	{"netpollinit", "the system opens no more files for it"},
	{"eventfd failed", "the system opens no more files for it"},
};

static void say(const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(messages, text, len);
		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			text += n;
			len -= n;
		}
	}
}

/* The line of the last words that says what was wrong. */
static const char *line_of(char *text)
{
	static const char *const begins[] = {"fatal error: ", "panic: ", "runtime: ", ""};
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		char *line = strstr(text, begins[i]);
		if (line != NULL) {
			line[strcspn(line, "\n")] = 0;
			return line;
		}
	}
	return text;
}

/* Only what a signal handler may do: no allocation, no buffers. */
static void end(void)
{
	static char text[8192];
	ssize_t n = pread(STDERR_FILENO, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = 0;
	const char *reason = NULL;
	for (size_t i = 0; reason == NULL && i < sizeof reasons / sizeof *reasons; i++)
		if (strstr(text, reasons[i].words) != NULL)
			reason = reasons[i].reason;
	const char *rest = "";
	if (reason == NULL) {
		reason = "a fault in the program; ";
		rest = line_of(text);
	}
	static char out[1024];
	out[0] = 0;
	const char *parts[] = {
		"tally: the run has come to an end: ", reason, rest,
		"; nothing follows from what it has printed (GOTRACEBACK=all shows where it was)\n",
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		strncat(out, parts[i], sizeof out - 1 - strlen(out));
	say(out, strlen(out));
	_exit(2);
}

/* The runtime reserves a table of addresses before it knows its settings: then
 * it could not say anything. */
static void require_space(void)
{
	const size_t table = 700 << 20;
	void *space = mmap(NULL, table, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (space != MAP_FAILED) {
		munmap(space, table);
		return;
	}
	const char *text = "tally: the run cannot begin: 700 MiB of address space are needed, of which little is "
			   "used, and ulimit -v does not allow them\n";
	say(text, strlen(text));
	_exit(2);
}

static void aborted(int sig) { (void)sig; end(); }

/* Where Go cannot have a thread, and where Rust has no memory, they abort.
 * By then Go has put its own handler before ours, which would print a trace. */
__attribute__((weak, noreturn)) void abort(void)
{
	if (messages >= 0)
		end();
	raise(SIGABRT); /* which Go answers with a trace */
	signal(SIGABRT, SIG_DFL);
	raise(SIGABRT);
	_exit(2);
}

/* Whether limits are so narrow that the runtime may come to them. */
static int narrow(void)
{
	static const struct {
		int what;
		rlim_t below;
	} limits[] = {
		{RLIMIT_AS, RLIM_INFINITY},
		{RLIMIT_DATA, RLIM_INFINITY},
		{RLIMIT_NOFILE, 16},
		{RLIMIT_NPROC, 1024},
	};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit now;
		if (getrlimit(limits[i].what, &now) == 0 && now.rlim_cur < limits[i].below)
			return 1;
	}
	return getenv("GOMEMLIMIT") != NULL;
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **envp)
{
	(void)argc;
	(void)envp;
	int guarded = getenv(MARK) != NULL;
	const char *wanted = getenv("GOTRACEBACK");
	if (!guarded && wanted != NULL && *wanted != 0)
		return; /* somebody wants to see the trace */
	if (!narrow())
		return;
	if (!guarded) {
		/* The runtime reads the setting before it runs any of our code. */
		setenv("GOTRACEBACK", "crash", 1);
		setenv(MARK, "1", 1);
		extern char **environ;
		execve("/proc/self/exe", argv, environ);
		unsetenv("GOTRACEBACK");
		unsetenv(MARK);
	}
	int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	int last = memfd_create("last words", MFD_CLOEXEC);
	if (saved < 0 || last < 0 || dup2(last, STDERR_FILENO) < 0) {
		if (saved >= 0)
			close(saved);
	} else {
		messages = saved;
		struct sigaction action = {.sa_handler = aborted, .sa_flags = SA_ONSTACK};
		sigaction(SIGABRT, &action, NULL);
		if (guarded) {
			require_space();
			mallopt(M_ARENA_MAX, 1); /* each takes 64 MiB of addresses */
		}
	}
	if (last >= 0)
		close(last);
}

#endif
