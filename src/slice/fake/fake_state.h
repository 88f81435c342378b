// One process's view of the fake driver. FOR TESTS ONLY.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "slice/cuda/cuda_abi.h"
#include "slice/fake/truth.h"

namespace yard::slice::fake {

using namespace yard::slice::cuda;

#define FAKE_API extern "C" __attribute__((visibility("default"))) int

// A chunk of a pool: an allocation lies in one of them in one piece, behind the last one there.
struct FakeChunk {
  std::uint64_t bytes = 0, top = 0, live = 0;
};
struct FakePool {
  std::vector<FakeChunk> chunks;
  std::uint64_t reserved = 0, live = 0;
  bool host = false;
};
struct FakePhysical {
  std::uint64_t bytes = 0;
  int handles = 1, maps = 0;
};
inline constexpr unsigned kQueue = 1024;  // launches that a stream holds
struct FakeStream {
  bool capturing = false;
  std::uint64_t tail_ns = 0;
  std::uint64_t ends_ns[kQueue] = {};  // of the last launches
  std::uint64_t launches = 0;
  std::uint64_t captured_bytes = 0, captured_ns = 0;
};
struct FakeGraph {
  std::uint64_t bytes = 0, length_ns = 0;
};
struct FakeExec {
  std::uint64_t bytes = 0, length_ns = 0;
  bool launched = false;
};
struct Pointer {
  std::uint64_t bytes = 0;
  FakePool* pool = nullptr;
  void* context = nullptr;   // of linear memory
  std::size_t in_chunk = 0;  // of the pool
};
struct FakeArray {
  std::uint64_t bytes = 0;
  void* context = nullptr;
};
// Where allocations below its size lie together; goes with the last of them.
inline constexpr std::uint64_t kBlock = 2 << 20;
struct FakeBlock {
  std::uint64_t top = 0;
  int live = 0;
};
struct Mapping {
  std::uint64_t bytes = 0;
  std::uint64_t handle = 0;
};

struct State {
  std::mutex mutex;
  int pid = 0;  // a forked child has no driver, as with the real one
  bool initialised = false;
  int primary = 0;
  std::set<void*> contexts;
  void* current = nullptr;
  std::uint64_t next = 0x7f0000000000;
  std::map<std::uint64_t, Pointer> pointers;
  std::map<std::uint64_t, FakeBlock> blocks;  // by address
  std::map<std::uint64_t, FakePhysical> physical;
  std::map<std::uint64_t, Mapping> mappings;
  std::map<void*, FakeArray> arrays;
  std::map<void*, FakeStream*> streams;
  FakeStream default_stream, thread_stream;
  FakePool default_pool;
  FakePool* current_pool = &default_pool;
  std::uint64_t graph_reserved = 0, graph_unused = 0;
  std::map<const void*, std::uint64_t> functions;  // local memory of one thread
  std::uint64_t local_bytes = 0, heap_bytes = 0;
  bool code_loaded = false;
};

State& Get();
bool Usable();  // initialised here and not inherited by fork
// Takes bytes of the GPU if there are enough.
bool Take(std::uint64_t bytes);
void Give(std::uint64_t bytes);
void* NewHandle();
// What was allocated in the context goes with it. The state is locked.
void DropContext(State& state, const void* context);
// What the kernel needs for all threads, if it is one of a module. The state is locked.
bool TakeLocal(State& state, const void* function);
FakeStream& StreamOf(void* stream);

inline std::uint64_t Up(std::uint64_t n, std::uint64_t to) {
  return (n + to - 1) / to * to;
}

}  // namespace yard::slice::fake
