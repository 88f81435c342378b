// One exported entry per name of NAMES_FILE: a jump through a slot. A slot first points at code
// that pushes the entry's number and asks SliceResolve for the target, which the slot then keeps.
// Arguments, floating-point ones too, pass through untouched.
#ifndef __x86_64__
#error "the stand-in library has entry stubs for x86-64 only"
#endif

.macro entry name
  .text
  .globl \name
  .type \name, @function
  .balign 16
\name:
  .cfi_startproc
  endbr64
  jmp *.Lslot_\name(%rip)
  .cfi_endproc
  .size \name, . - \name
.Lfirst_\name:
  pushq $entry_number
  jmp .Lresolve
  .data
.Lslot_\name:
  .quad .Lfirst_\name
  .set entry_number, entry_number + 1
.endm

  .text
.Lresolve:
  .cfi_startproc
  .cfi_def_cfa_offset 16
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  subq $136, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  .cfi_def_cfa_offset 208
  movq 192(%rsp), %rdi
  call SliceResolve
  movq 192(%rsp), %rdi
  leaq SliceSlots(%rip), %r11
  movq %rax, (%r11,%rdi,8)
  movq %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  addq $136, %rsp
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  .cfi_def_cfa_offset 16
  addq $8, %rsp
  .cfi_def_cfa_offset 8
  jmp *%r11
  .cfi_endproc

  .data
  .balign 64
  .hidden SliceSlots
  .globl SliceSlots
SliceSlots:
  .set entry_number, 0
#define X(name) entry name
#include NAMES_FILE
#undef X
  .section .note.GNU-stack, "", @progbits
