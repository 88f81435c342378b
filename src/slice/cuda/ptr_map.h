// A hash map from a nonzero word (pointer or handle) to what was charged for it.
//
// All-zero is the empty map; memory comes from mmap, so it works inside any caller's malloc.
// Threads: any; one short lock, never held across a driver call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "slice/cuda/once.h"

namespace yard::slice {

enum class Kind : std::uint8_t {
  kNone,
  kLinear,
  kPool,
  kContext,
  kArray,
  kExternal,
  kVmm,
  kGraph,
  kSpill,
  kModule,    // and what a context takes on the side
  kRendered,  // by Vulkan
};

struct Charge {
  std::uint64_t key = 0;
  std::uint64_t bytes = 0;
  std::uint32_t link = 0;  // pool number or allocation number, by kind
  std::int16_t gpu = -1;
  Kind kind = Kind::kNone;
  bool in_block = false;      // shares a block with others (blocks.h), which is paid for apart
  std::uint64_t context = 0;  // it goes when this one does; 0: with none
};

class PtrMap {
 public:
  // False if memory ran out. What was there under the key is gone: nobody told us.
  bool Put(const Charge& entry);
  bool Find(std::uint64_t key, Charge* out);
  // Removes and returns the entry; exactly one of several callers gets it.
  bool Take(std::uint64_t key, Charge* out);
  // The same for any that goes with the context, from place `*at` on; the next place is left there.
  bool TakeOf(std::uint64_t context, std::size_t* at, Charge* out);
  // Those that go with one context go with another from now on.
  void Retag(std::uint64_t context, std::uint64_t other);
  std::size_t Size();
  // Counts who uses the key, in the entry's link: how many do now. Join: 0 if memory ran out.
  std::uint32_t Join(std::uint64_t key);
  std::uint32_t Part(std::uint64_t key);

 private:
  bool Grow();
  std::size_t Home(std::uint64_t key) const;
  std::size_t Probe(std::uint64_t key) const;
  void Remove(std::size_t at);

  SpinLock lock_;
  Charge* table_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t count_ = 0;
};

}  // namespace yard::slice
