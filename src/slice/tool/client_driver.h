// The driver as the client program uses it: opened by name, called by symbol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slice/cuda/cuda_abi.h"

namespace yard::slice::client {

// One allocation of any kind, with what is needed to free it.
struct Held {
  std::string kind;
  std::uint64_t pointer = 0;
  std::uint64_t handle = 0;
  std::uint64_t bytes = 0;
};

class Driver {
 public:
  // By file name, or "default", "next", "deepbind" for the loader's other ways. 0, or an exit
  // code.
  int Open(const char* name);
  int Start();  // cuInit and the primary context, made current
  int Stop();
  int Reset();

  // Also "kernel": one with so many bytes of local memory for each thread is launched; and "heap":
  // the device heap becomes so large. Neither is held.
  int Allocate(const std::string& kind, std::uint64_t bytes);
  int Free(std::size_t index);
  int FreeAll();
  std::size_t count() const { return held_.size(); }

  void* Find(const char* name) const;
  bool IsOurs(const void* base) const { return base == base_; }

  template <class... Args>
  int Call(const char* name, Args... args) const {
    auto* const function = reinterpret_cast<int (*)(Args...)>(Find(name));
    return function == nullptr ? -1 : function(args...);
  }

 private:
  int AllocateVmm(Held* held);
  int AllocateArray(Held* held);
  int AllocateGraph(Held* held);
  int AllocateModule(Held* held);
  int LaunchNeedy(std::uint64_t local) const;
  int FreeOne(const Held& held);

  void* library_ = nullptr;
  const void* base_ = nullptr;
  std::vector<Held> held_;
  void* pool_ = nullptr;
};

}  // namespace yard::slice::client
