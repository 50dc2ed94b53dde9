#include "textflag.h"

// The plain twin is dotPlain; TestDot holds them equal, and BenchmarkDot says
// what this is good for. Products are rounded before they are added, as there.
// What comes 4 KiB later is fetched: a scan of all vectors waits for memory.

// func dotAVX2(a, b *float32, n int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0

pair: // of eights
	SUBQ       $2, CX
	JLT        odd
	PREFETCHT0 4096(DI)
	VMOVUPS    (SI), Y1
	VMOVUPS    32(SI), Y2
	VMULPS     (DI), Y1, Y1
	VMULPS     32(DI), Y2, Y2
	VADDPS     Y1, Y0, Y0
	VADDPS     Y2, Y0, Y0
	ADDQ       $64, SI
	ADDQ       $64, DI
	JMP        pair

odd:
	ADDQ    $1, CX
	JLT     sum
	VMOVUPS (SI), Y1
	VMULPS  (DI), Y1, Y1
	VADDPS  Y1, Y0, Y0

sum:
	// (s0+s4, s1+s5, s2+s6, s3+s7), then pairs, then both.
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, ret+24(FP)
	VZEROUPPER
	RET
