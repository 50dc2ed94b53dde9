/* What librure.a offers beside the C API of the regex crate (rure.h). The
 * meaning of each function stands beside its definition in src/. */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rure rure;
typedef struct tally_plan tally_plan;
typedef struct tally_scanner tally_scanner;

typedef struct {
	const uint8_t *ptr;
	size_t len;
} tally_text;

enum {
	TALLY_CASE_INSENSITIVE = 1 << 0,
	TALLY_SMART_CASE = 1 << 1,
	TALLY_UNICODE = 1 << 2,
	TALLY_CRLF = 1 << 3,
	TALLY_DOT_ALL = 1 << 4,
	TALLY_WORD = 1 << 5,
	TALLY_WHOLE_LINE = 1 << 6,
	TALLY_MULTI_LINE = 1 << 7,
	TALLY_BAN_NUL = 1 << 8,
	TALLY_NUL_TERMINATED = 1 << 9,
};

enum {
	TALLY_FACT_CASE_INSENSITIVE = 1 << 0,
	TALLY_FACT_HAYSTACK_ANCHOR = 1 << 1,
	TALLY_FACT_WITHIN_LINE = 1 << 2,
};

enum {
	TALLY_PLAN_OK = 0,
	TALLY_PLAN_SYNTAX = 1,
	TALLY_PLAN_TERMINATOR = 2,
	TALLY_PLAN_NUL = 3,
};

tally_plan *tally_plan_new(const uint8_t *pattern, size_t len, uint32_t flags);
tally_text tally_plan_pattern(const tally_plan *);
tally_text tally_plan_error(const tally_plan *);
uint32_t tally_plan_error_kind(const tally_plan *);
uint32_t tally_plan_facts(const tally_plan *);
void tally_plan_free(tally_plan *);

enum {
	TALLY_SCAN_ROWS = 1 << 0,
	TALLY_SCAN_SPANS = 1 << 1,
	TALLY_SCAN_DIGEST = 1 << 2,
	TALLY_SCAN_LINEWISE = 1 << 3,
	TALLY_SCAN_CRLF = 1 << 4,
	TALLY_SCAN_NUMBER = 1 << 5,
};

typedef struct {
	size_t start, end;
} tally_span;

typedef struct {
	size_t start, end;
	uint64_t number;
	size_t spans_end;
} tally_row;

typedef struct {
	size_t pos, counted;
	uint64_t number;
	uint64_t lines, matches;
	uint64_t digest_sum, digest_weighted;
} tally_state;

tally_scanner *tally_scanner_new(const rure *);
void tally_scanner_free(tally_scanner *);
size_t tally_scan(tally_scanner *, const uint8_t *hay, size_t len, uint8_t term,
		  uint32_t flags, uint64_t max_lines, tally_state *);
const tally_row *tally_scan_rows(const tally_scanner *);
const tally_span *tally_scan_spans(const tally_scanner *);
bool tally_scanner_find(const tally_scanner *, const uint8_t *hay, size_t len,
			size_t at, tally_span *);

#endif
