/* What librure.a offers beside the C API of the regex crate (rure.h). The
 * meaning of each function stands beside its definition in src/pattern.rs and
 * src/scanner.rs, of a sieve in src/sieve.rs, and of decompression in
 * src/inflate.rs. */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rure rure;
typedef struct tally_plan tally_plan;
typedef struct tally_pattern tally_pattern;
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
	TALLY_FIXED = 1 << 10,
};

enum {
	TALLY_FACT_HAYSTACK_ANCHOR = 1 << 0,
	TALLY_FACT_WITHIN_LINE = 1 << 1,
	TALLY_FACT_INSENSITIVE = 1 << 2,
};

tally_plan *tally_plan_new(const uint8_t *text, const size_t *ends, size_t n,
			   uint32_t flags);
tally_text tally_plan_error(const tally_plan *);
tally_text tally_plan_text(const tally_plan *);
void tally_plan_free(tally_plan *);

tally_pattern *tally_pattern_of_rure(const tally_plan *, const rure *);
tally_pattern *tally_pattern_of_plan(const tally_plan *, size_t size_limit,
				     size_t dfa_size_limit);
tally_pattern *tally_pattern_of_pcre2(const uint8_t *text, const size_t *ends,
				      size_t n, uint32_t flags);
tally_text tally_pattern_error(const tally_pattern *);
uint32_t tally_pattern_facts(const tally_pattern *);
size_t tally_pattern_reach(const tally_pattern *);
size_t tally_pattern_groups(const tally_pattern *);
tally_text tally_pattern_group_name(const tally_pattern *, size_t group);
void tally_pattern_free(tally_pattern *);

uint32_t tally_pcre2_version(void);
bool tally_pcre2_jit(void);

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
	uint64_t digest[2];
} tally_state;

tally_scanner *tally_scanner_new(const tally_pattern *);
void tally_scanner_free(tally_scanner *);
tally_text tally_scanner_error(const tally_scanner *);
size_t tally_scan(tally_scanner *, const uint8_t *hay, size_t len, uint8_t term,
		  uint32_t flags, uint64_t max_lines, tally_state *);
int32_t tally_scanner_may(tally_scanner *, const uint8_t *hay, size_t len);
const tally_row *tally_scan_rows(const tally_scanner *);
const tally_span *tally_scan_spans(const tally_scanner *);
int32_t tally_scanner_find(tally_scanner *, const uint8_t *hay, size_t len,
			   size_t at, tally_span *);
int32_t tally_scanner_groups(tally_scanner *, const uint8_t *hay, size_t len,
			     size_t at, tally_span *groups);

typedef struct tally_sieve tally_sieve;
typedef struct tally_sifter tally_sifter;

tally_sieve *tally_sieve_new(const uint8_t *pattern, size_t len);
tally_text tally_sieve_error(const tally_sieve *);
void tally_sieve_free(tally_sieve *);
tally_sifter *tally_sifter_new(const tally_sieve *);
void tally_sifter_free(tally_sifter *);
size_t tally_sift(tally_sifter *, const uint8_t *hay, size_t len, size_t *at,
		  size_t max, bool open, const size_t **found);

typedef struct tally_inflater tally_inflater;

enum {
	TALLY_INFLATE_INPUT = 0,
	TALLY_INFLATE_FULL = 1,
	TALLY_INFLATE_DONE = 2,
	TALLY_INFLATE_CORRUPT = 3,
};

typedef struct {
	size_t taken;
	size_t given;
	uint32_t stop;
} tally_progress;

tally_inflater *tally_inflater_new(void);
void tally_inflater_reset(tally_inflater *);
tally_progress tally_inflate(tally_inflater *, const uint8_t *input,
			     size_t input_len, uint8_t *out, size_t out_len);
void tally_inflater_free(tally_inflater *);

typedef struct {
	uint64_t lower;
	uint64_t upper;
} tally_hash;

tally_hash tally_hash_of(const uint8_t *text, size_t len);

#endif
