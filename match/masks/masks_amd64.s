#include "textflag.h"

// The plain twins are findPlain and classifyPlain; TestMasks and FuzzMasks hold
// them equal, and BenchmarkFind and BenchmarkClassify say what this is good for.

DATA constants<>+0(SB)/1, $0x0f // a nibble
DATA constants<>+1(SB)/1, $0x20 // what makes a capital small
DATA constants<>+2(SB)/1, $0x61 // 'a'
DATA constants<>+3(SB)/1, $0x30 // '0'
DATA constants<>+4(SB)/1, $0x41 // 'A'
DATA constants<>+5(SB)/1, $25   // of 26 letters
DATA constants<>+6(SB)/1, $9    // of 10 digits
GLOBL constants<>(SB), RODATA|NOPTR, $7

// BYTES leaves in OUT the buckets that the bytes at AT fit, by the tables of
// their low and their high half.
#define BYTES(AT, LOW, HIGH, OUT) \
	VMOVDQU AT(SI), Y0      \
	VPAND   Y12, Y0, Y1     \
	VPSRLW  $4, Y0, Y0      \
	VPAND   Y12, Y0, Y0     \
	VPSHUFB Y1, LOW, Y1     \
	VPSHUFB Y0, HIGH, Y0    \
	VPAND   Y0, Y1, OUT

// HEADS sets a bit of OUT for each of 32 bytes at AT: 0 where a head stands.
#define HEADS(AT, OUT) \
	BYTES(AT, Y6, Y7, Y2)     \
	BYTES(AT+1, Y8, Y9, Y3)   \
	BYTES(AT+2, Y10, Y11, Y4) \
	VPAND     Y3, Y2, Y2      \
	VPAND     Y4, Y2, Y2      \
	VPCMPEQB  Y13, Y2, Y2     \
	VPMOVMSKB Y2, OUT

// func findAVX2(dst *uint64, text *byte, n int, tables *[2 * headSize][16]byte)
TEXT ·findAVX2(SB), NOSPLIT, $0-32
	MOVQ           dst+0(FP), DI
	MOVQ           text+8(FP), SI
	MOVQ           n+16(FP), CX
	MOVQ           tables+24(FP), BX
	VBROADCASTI128 (BX), Y6
	VBROADCASTI128 16(BX), Y7
	VBROADCASTI128 32(BX), Y8
	VBROADCASTI128 48(BX), Y9
	VBROADCASTI128 64(BX), Y10
	VBROADCASTI128 80(BX), Y11
	VPBROADCASTB   constants<>+0(SB), Y12
	VPXOR          Y13, Y13, Y13

find:
	HEADS(0, AX)
	HEADS(32, DX)
	SHLQ $32, DX
	ORQ  DX, AX
	NOTQ AX
	MOVQ AX, (DI)
	ADDQ $64, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  find
	VZEROUPPER
	RET

// RANGE sets the bytes of TO that lie in [LO, LO+WIDTH] in Y0, which changes.
#define RANGE(FROM, LO, WIDTH, TO) \
	VPSUBB   LO, FROM, TO    \
	VPMINUB  WIDTH, TO, Y5   \
	VPCMPEQB Y5, TO, TO

// CLASSES sets 32 bits of each class, of the bytes at OFF.
#define CLASSES(OFF, WORD, UPPER, DIGIT, HIGH) \
	VMOVDQU   OFF(SI), Y0         \
	VPMOVMSKB Y0, HIGH            \
	VPOR      Y9, Y0, Y1          \
	RANGE(Y1, Y10, Y13, Y2)       \
	RANGE(Y0, Y11, Y14, Y3)       \
	RANGE(Y0, Y12, Y13, Y4)       \
	VPMOVMSKB Y4, UPPER           \
	VPMOVMSKB Y3, DIGIT           \
	VPOR      Y3, Y2, Y2          \
	VPMOVMSKB Y2, WORD

// func classifyAVX2(dst *Classes, text *byte, n int)
TEXT ·classifyAVX2(SB), NOSPLIT, $0-24
	MOVQ         dst+0(FP), DI
	MOVQ         text+8(FP), SI
	MOVQ         n+16(FP), CX
	VPBROADCASTB constants<>+1(SB), Y9
	VPBROADCASTB constants<>+2(SB), Y10
	VPBROADCASTB constants<>+3(SB), Y11
	VPBROADCASTB constants<>+4(SB), Y12
	VPBROADCASTB constants<>+5(SB), Y13
	VPBROADCASTB constants<>+6(SB), Y14

classify:
	CLASSES(0, AX, BX, DX, R8)
	CLASSES(32, R9, R10, R11, R12)
	SHLQ $32, R9
	SHLQ $32, R10
	SHLQ $32, R11
	SHLQ $32, R12
	ORQ  R9, AX
	ORQ  R10, BX
	ORQ  R11, DX
	ORQ  R12, R8
	MOVQ AX, (DI)
	MOVQ BX, 8(DI)
	MOVQ DX, 16(DI)
	MOVQ R8, 24(DI)
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  classify
	VZEROUPPER
	RET
