#include "slice/cuda/blocks.h"

#include "slice/cuda/ledger.h"

namespace yard::slice {
namespace {

std::uint64_t BlockOf(std::uint64_t address) {
  return address / kGranule;
}

}  // namespace

std::uint64_t LinearBytes(std::uint64_t n) {
  return n == 0 ? kGranule : RoundUp(n, kGranule);
}

void KeepLinear(Process& process, Charge made, std::uint64_t n) {
  made.bytes = LinearBytes(n);
  const std::uint32_t sharers = n < kGranule ? process.blocks.Join(BlockOf(made.key)) : 0;
  made.in_block = sharers > 0;
  Charge stale;  // of memory that went without us
  if (process.pointers.Take(made.key, &stale)) ReleaseLinear(process, stale);
  process.pointers.Put(made);
  if (sharers > 1) Release(process, made.gpu, kGranule);
}

void ReleaseLinear(Process& process, const Charge& gone) {
  if (gone.in_block && process.blocks.Part(BlockOf(gone.key)) > 0) return;
  Release(process, gone.gpu, gone.bytes);
}

}  // namespace yard::slice
