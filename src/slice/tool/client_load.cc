#include "slice/tool/client_load.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

namespace yard::slice::client {
namespace {

using Steady = std::chrono::steady_clock;

constexpr const char* kKinds[] = {"linear", "pitch",   "managed", "async", "pool",
                                  "vmm",    "vmmheld", "array",   "mip",   "graph"};

std::int64_t NanosSince(Steady::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Steady::now() - start).count();
}

void* FakeKernel(std::uint64_t micros) {
  return reinterpret_cast<void*>(micros + 1);
}

int LaunchOne(Driver& driver, void* kernel, void* stream = nullptr) {
  void* const none = nullptr;
  return driver.Call("cuLaunchKernel", kernel, 1U, 1U, 1U, 1U, 1U, 1U, 0U, stream, none, none);
}

// A graph of `count` kernels, captured on the stream.
void* Capture(Driver& driver, void* stream, void* kernel, std::uint64_t count) {
  void *graph = nullptr, *exec = nullptr;
  driver.Call("cuStreamBeginCapture_v2", stream, 0);
  for (std::uint64_t i = 0; i < count; ++i) LaunchOne(driver, kernel, stream);
  driver.Call("cuStreamEndCapture", stream, &graph);
  driver.Call("cuGraphInstantiateWithFlags", &exec, graph, 0ULL);
  return exec;
}

// A pool that is there for one allocation only.
int UsePool(Driver& driver) {
  cuda::PoolProps props{};
  props.type = 1;
  props.location = {cuda::kLocationDevice, 0};
  void* pool = nullptr;
  void* const stream = nullptr;
  cuda::DevicePtr pointer = 0;
  driver.Call("cuMemPoolCreate", &pool, static_cast<const cuda::PoolProps*>(&props));
  if (driver.Call("cuMemAllocFromPoolAsync", &pointer, std::size_t{1} << 20, pool, stream) == 0)
    driver.Call("cuMemFreeAsync", pointer, stream);
  return driver.Call("cuMemPoolDestroy", pool);
}

// One thread's share of the work of Threads.
int Work(Driver& driver, std::uint64_t seed, std::uint64_t rounds) {
  if (const int code = driver.Start(); code != 0) return code;
  int worst = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::istringstream some(std::to_string(seed * rounds + round) + " 10");
    Random(driver, some);
    worst = std::max(worst, UsePool(driver));
    void* stream = nullptr;
    driver.Call("cuStreamCreate", &stream, 1U);
    for (int i = 0; i < 20; ++i) {
      worst = std::max(worst, LaunchOne(driver, FakeKernel(5)));
      worst = std::max(worst, LaunchOne(driver, FakeKernel(5), stream));
    }
    driver.Call("cuGraphLaunch", Capture(driver, stream, FakeKernel(5), 3), stream);
    driver.Call("cuStreamSynchronize", stream);
    worst = std::max(worst, driver.Call("cuStreamDestroy_v2", stream));
  }
  driver.FreeAll();
  return std::max(worst, driver.Stop());
}

}  // namespace

std::string Random(Driver& driver, std::istream& words) {
  std::uint64_t seed = 0, count = 0, done = 0, refused = 0;
  words >> seed >> count;
  std::mt19937_64 dice(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (driver.count() > 0 && dice() % 5 < 2) {
      driver.Free(dice() % driver.count());
      continue;
    }
    const std::string kind = kKinds[dice() % std::size(kKinds)];
    const std::uint64_t granules = 1 + dice() % 32;
    const bool fine = (kind == "linear" || kind == "async") && dice() % 2 == 0;
    const std::uint64_t bytes = fine ? 1 + dice() % (3 << 20) : granules * (2 << 20);
    driver.Allocate(kind, bytes) == 0 ? ++done : ++refused;
  }
  return "0 " + std::to_string(done) + " " + std::to_string(refused);
}

std::string Hammer(Driver& driver, std::istream& words) {
  double seconds = 0;
  std::uint64_t seed = 0, most = 0, refused = 0;
  words >> seconds >> seed >> most;
  std::mt19937_64 dice(seed);
  std::vector<std::int64_t> took;
  const auto start = Steady::now();
  while (static_cast<double>(NanosSince(start)) < seconds * 1e9) {
    if (driver.count() > 0 && dice() % 2 == 0) {
      driver.Free(dice() % driver.count());
      continue;
    }
    const auto before = Steady::now();
    if (driver.Allocate("linear", 1 + dice() % most) == 0)
      took.push_back(NanosSince(before));
    else
      ++refused;
    if (driver.count() > 64) driver.FreeAll();
  }
  driver.FreeAll();
  if (took.empty()) return "0 0 " + std::to_string(refused) + " 0 0";
  std::ranges::sort(took);
  return "0 " + std::to_string(took.size()) + " " + std::to_string(refused) + " " +
         std::to_string(took[took.size() / 2]) + " " + std::to_string(took[took.size() * 99 / 100]);
}

std::string Launch(Driver& driver, std::istream& words) {
  std::uint64_t count = 0, micros = 0, sync_each = 0;
  words >> count >> micros >> sync_each;
  const auto start = Steady::now();
  for (std::uint64_t i = 1; i <= count; ++i) {
    if (const int code = LaunchOne(driver, FakeKernel(micros)); code != 0)
      return std::to_string(code);
    if (sync_each != 0 && i % sync_each == 0) driver.Call("cuCtxSynchronize");
  }
  driver.Call("cuCtxSynchronize");
  return "0 " + std::to_string(NanosSince(start));
}

std::string Spin(Driver& driver, std::istream& words) {
  double seconds = 0;
  std::uint64_t micros = 0, sync_each = 0, launches = 0;
  words >> seconds >> micros >> sync_each;
  const auto start = Steady::now();
  while (static_cast<double>(NanosSince(start)) < seconds * 1e9) {
    if (LaunchOne(driver, FakeKernel(micros)) != 0) break;
    ++launches;
    if (sync_each != 0 && launches % sync_each == 0) driver.Call("cuCtxSynchronize");
  }
  return "0 " + std::to_string(launches);
}

std::string GraphSpin(Driver& driver, std::istream& words) {
  double seconds = 0;
  std::uint64_t micros = 0, nodes = 0, launches = 0;
  words >> seconds >> micros >> nodes;
  void* stream = nullptr;
  driver.Call("cuStreamCreate", &stream, 1U);
  void* const exec = Capture(driver, stream, FakeKernel(micros), nodes);
  const auto start = Steady::now();
  while (static_cast<double>(NanosSince(start)) < seconds * 1e9) {
    if (driver.Call("cuGraphLaunch", exec, stream) != 0) break;
    ++launches;
  }
  const auto stopped = Steady::now();
  driver.Call("cuStreamSynchronize", stream);
  return "0 " + std::to_string(launches) + " " + std::to_string(NanosSince(stopped));
}

std::string Threads(const Driver& driver, std::istream& words) {
  std::uint64_t count = 0, rounds = 0;
  words >> count >> rounds;
  std::atomic<int> worst = 0;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 1; i <= count; ++i)
      threads.emplace_back([&worst, own = driver, i, rounds]() mutable {
        if (const int code = Work(own, i, rounds); code != 0) worst = code;
      });
  }
  return std::to_string(worst);
}

}  // namespace yard::slice::client
