// For each function a stub of its name, seen in this executable only: it jumps to the function, once its address is
// known, and before that has it looked up. Arguments and results pass as they are, whatever they be.

#include "late.h"

#if defined(__x86_64__)

        .text
        .p2align 4
        .type oav_late_enter, @function
// The record of the function is in r11. Saves all registers that may hold arguments: of rax, the number of vectors.
oav_late_enter:
        .cfi_startproc
        pushq %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq $192, %rsp
        andq $-16, %rsp
        movq %rax, 0(%rsp)
        movq %rdi, 8(%rsp)
        movq %rsi, 16(%rsp)
        movq %rdx, 24(%rsp)
        movq %rcx, 32(%rsp)
        movq %r8, 40(%rsp)
        movq %r9, 48(%rsp)
        movq %r10, 56(%rsp)
        movups %xmm0, 64(%rsp)
        movups %xmm1, 80(%rsp)
        movups %xmm2, 96(%rsp)
        movups %xmm3, 112(%rsp)
        movups %xmm4, 128(%rsp)
        movups %xmm5, 144(%rsp)
        movups %xmm6, 160(%rsp)
        movups %xmm7, 176(%rsp)
        movq %r11, %rdi
        call oav_late_resolve
        movq %rax, %r11
        movq 0(%rsp), %rax
        movq 8(%rsp), %rdi
        movq 16(%rsp), %rsi
        movq 24(%rsp), %rdx
        movq 32(%rsp), %rcx
        movq 40(%rsp), %r8
        movq 48(%rsp), %r9
        movq 56(%rsp), %r10
        movups 64(%rsp), %xmm0
        movups 80(%rsp), %xmm1
        movups 96(%rsp), %xmm2
        movups 112(%rsp), %xmm3
        movups 128(%rsp), %xmm4
        movups 144(%rsp), %xmm5
        movups 160(%rsp), %xmm6
        movups 176(%rsp), %xmm7
        movq %rbp, %rsp
        popq %rbp
        .cfi_def_cfa %rsp, 8
        jmp *%r11
        .cfi_endproc
        .size oav_late_enter, . - oav_late_enter

#define STUB(symbol) \
        movq .Laddress_##symbol(%rip), %r11 ; \
        testq %r11, %r11 ; \
        je 1f ; \
        jmp *%r11 ; \
1:      leaq .Lrecord_##symbol(%rip), %r11 ; \
        jmp oav_late_enter

#elif defined(__aarch64__)

        .text
        .p2align 4
        .type oav_late_enter, %function
// The record of the function is in x16.
oav_late_enter:
        .cfi_startproc
        stp x29, x30, [sp, #-224]!
        .cfi_def_cfa_offset 224
        .cfi_offset x29, -224
        .cfi_offset x30, -216
        mov x29, sp
        stp x0, x1, [sp, #16]
        stp x2, x3, [sp, #32]
        stp x4, x5, [sp, #48]
        stp x6, x7, [sp, #64]
        str x8, [sp, #80]
        stp q0, q1, [sp, #96]
        stp q2, q3, [sp, #128]
        stp q4, q5, [sp, #160]
        stp q6, q7, [sp, #192]
        mov x0, x16
        bl oav_late_resolve
        mov x16, x0
        ldp x0, x1, [sp, #16]
        ldp x2, x3, [sp, #32]
        ldp x4, x5, [sp, #48]
        ldp x6, x7, [sp, #64]
        ldr x8, [sp, #80]
        ldp q0, q1, [sp, #96]
        ldp q2, q3, [sp, #128]
        ldp q4, q5, [sp, #160]
        ldp q6, q7, [sp, #192]
        ldp x29, x30, [sp], #224
        .cfi_def_cfa_offset 0
        br x16
        .cfi_endproc
        .size oav_late_enter, . - oav_late_enter

#define STUB(symbol) \
        adrp x16, .Laddress_##symbol ; \
        ldr x16, [x16, :lo12:.Laddress_##symbol] ; \
        cbz x16, 1f ; \
        br x16 ; \
1:      adrp x16, .Lrecord_##symbol ; \
        add x16, x16, :lo12:.Lrecord_##symbol ; \
        b oav_late_enter

#else
#error "There are stubs for x86-64 and 64-bit ARM only"
#endif

#define LATE(library, symbol) \
        .section .bss.oav_late, "aw", %nobits ; \
        .p2align 3 ; \
.Laddress_##symbol: ; \
        .zero 8 ; \
        .section .rodata.oav_late, "a", %progbits ; \
.Lname_##symbol: ; \
        .asciz #symbol ; \
        .section .data.rel.ro.oav_late, "aw", %progbits ; \
        .p2align 3 ; \
.Lrecord_##symbol: ; \
        .quad .Laddress_##symbol, .Lname_##symbol, OAV_LATE_##library ; \
        .text ; \
        .p2align 4 ; \
        .globl symbol ; \
        .hidden symbol ; \
        .type symbol, %function ; \
symbol: ; \
        .cfi_startproc ; \
        STUB(symbol) ; \
        .cfi_endproc ; \
        .size symbol, . - symbol

#include "functions.h"

        .section .note.GNU-stack, "", %progbits
