#include "slice/fake/truth.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace yard::slice::fake {
namespace {

Truth* Map() {
  const char* const path = Said("YARD_FAKE_GPU");
  const int fd =
      open(path == nullptr ? "/tmp/yard-fake-gpu" : path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || ftruncate(fd, sizeof(Truth)) != 0) std::abort();
  void* const memory = mmap(nullptr, sizeof(Truth), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) std::abort();
  return static_cast<Truth*>(memory);
}

}  // namespace

Truth& Shared() {
  static Truth* const truth = Map();
  return *truth;
}

bool IsAlive(std::uint64_t pid) {
  char path[64], text[512] = {};
  std::snprintf(path, sizeof(path), "/proc/%llu/stat", static_cast<unsigned long long>(pid));
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return false;
  const std::size_t got = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  const char* const close_mark = std::strrchr(text, ')');
  return got > 0 && close_mark != nullptr && close_mark[2] != 'Z' && close_mark[2] != 'X';
}

TruthEntry& Own() {
  const auto self = static_cast<std::uint64_t>(getpid());
  Truth& truth = Shared();
  for (TruthEntry& entry : truth.entries)
    if (entry.pid == self) return entry;
  for (TruthEntry& entry : truth.entries) {
    std::uint64_t owner = entry.pid;
    if (owner != 0 && IsAlive(owner)) continue;
    if (!entry.pid.compare_exchange_strong(owner, self)) continue;
    entry.bytes = 0;
    entry.done = 0;
    entry.parked = 0;
    entry.locked = 0;
    return entry;
  }
  std::abort();
}

std::uint64_t UsedByAll() {
  std::uint64_t sum = 0;
  for (const TruthEntry& entry : Shared().entries)
    if (entry.pid != 0 && entry.bytes != 0 && IsAlive(entry.pid)) sum += entry.bytes;
  return sum;
}

std::uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace yard::slice::fake
