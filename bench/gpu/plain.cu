// A plain CUDA program for the measurements: launches, graphs, allocations, and work that can be
// counted on the device.
//
//   plain info                     free total totalGlobalMem, in bytes
//   plain launch COUNT             ns per empty launch: driver call, runtime call
//   plain graph COUNT              ns per launch of a 100-node graph: the call, and until all ran
//   plain alloc COUNT ASYNC_COUNT  ns per cudaMalloc+cudaFree of 2 MiB, per async pair of 1 MiB
//   plain work KIND START SECONDS  kernels finished between START (Unix time) and START+SECONDS
//                                  KIND: small, sync, graph, long
//   plain cost REAL_DRIVER         for a launch, a graph launch, an allocation and free of 2 MiB,
//                                  an async one of 1 MiB: ns by the driver's own function, ns by
//                                  the one cuGetProcAddress gives out, 1 if they are the same
//   plain check                    one kernel, result verified
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void Check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
  std::exit(3);
}
#define CHECK(call) Check(call, #call)

__global__ void Empty() {}

__global__ void Twice(int* values) {
  values[threadIdx.x] *= 2;
}

// A fixed amount of arithmetic on every multiprocessor; the last block counts itself in memory
// the host can read.
__global__ void Work(long iterations, unsigned long long* done, float* sink) {
  float x = threadIdx.x;
  for (long i = 0; i < iterations; ++i) x = x * 1.0000001f + 0.5f;
  if (x == -1.0f) *sink = x;
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd_system(done, 1ULL);
}

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double UnixNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

int Info() {
  size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("%zu %zu %zu\n", free, total, properties.totalGlobalMem);
  return 0;
}

using LaunchFn = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                         unsigned, void*, void**, void**);

// Medians of ten parts, so that one disturbance does not show.
template <class F>
double MedianNs(long count, F once) {
  std::vector<double> parts;
  for (int part = 0; part < 10; ++part) {
    const auto start = Clock::now();
    for (long i = 0; i < count / 10; ++i) once();
    parts.push_back(SecondsSince(start) * 1e9 / (count / 10));
    CHECK(cudaDeviceSynchronize());
  }
  std::sort(parts.begin(), parts.end());
  return (parts[4] + parts[5]) / 2;
}

int Launch(long count) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  const auto launch = reinterpret_cast<LaunchFn>(dlsym(driver, "cuLaunchKernel"));
  cudaFunction_t function;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(&Empty)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < 2000; ++i) Empty<<<1, 32, 0, stream>>>();
  CHECK(cudaDeviceSynchronize());
  const double direct = MedianNs(
      count, [&] { launch(function, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr); });
  const double runtime = MedianNs(count, [&] { Empty<<<1, 32, 0, stream>>>(); });
  std::printf("%.2f %.2f\n", direct, runtime);
  return 0;
}

cudaGraphExec_t MakeGraph(cudaStream_t stream, long iterations, unsigned long long* done,
                          float* sink) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 100; ++i) {
    if (iterations == 0)
      Empty<<<1, 32, 0, stream>>>();
    else
      Work<<<132, 128, 0, stream>>>(iterations, done, sink);
  }
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

int Graph(long count) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const cudaGraphExec_t exec = MakeGraph(stream, 0, nullptr, nullptr);
  for (int i = 0; i < 100; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaDeviceSynchronize());
  const double call = MedianNs(count, [&] { cudaGraphLaunch(exec, stream); });
  const auto start = Clock::now();
  for (long i = 0; i < count; ++i) CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaDeviceSynchronize());
  std::printf("%.2f %.2f\n", call, SecondsSince(start) * 1e9 / static_cast<double>(count));
  return 0;
}

int Alloc(long count, long async_count) {
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, 1 << 20));
  const double plain = MedianNs(count, [&] {
    void* p = nullptr;
    CHECK(cudaMalloc(&p, 2 << 20));
    CHECK(cudaFree(p));
  });
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaMemPool_t pool;
  unsigned long long keep = ~0ULL;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  const double async = MedianNs(async_count, [&] {
    void* p = nullptr;
    CHECK(cudaMallocAsync(&p, 1 << 20, stream));
    CHECK(cudaFreeAsync(p, stream));
  });
  std::printf("%.2f %.2f\n", plain, async);
  return 0;
}

// The mean of the middle eight tenths.
double Trimmed(std::vector<double> parts) {
  std::sort(parts.begin(), parts.end());
  const size_t cut = parts.size() / 10;
  double sum = 0;
  for (size_t i = cut; i < parts.size() - cut; ++i) sum += parts[i];
  return sum / (parts.size() - 2 * cut);
}

struct Blocks {
  int blocks, calls;  // how many of each side, and how long
};

// Two ways of doing the same, block by block in turn, the first of each pair changing.
template <class F>
void CompareWays(const Blocks& size, F once, bool same) {
  std::vector<double> parts[2];
  for (int i = 0; i < 2 * size.blocks; ++i) {
    const int way = (i ^ i >> 1) & 1;  // 0 1 1 0 0 1 1 0
    const auto start = Clock::now();
    for (int call = 0; call < size.calls; ++call) once(way);
    parts[way].push_back(SecondsSince(start) * 1e9 / size.calls);
    CHECK(cudaDeviceSynchronize());
  }
  std::printf("%.2f %.2f %d\n", Trimmed(parts[0]), Trimmed(parts[1]), same ? 1 : 0);
}

// A driver function twice: as the real library has it, and as programs get it.
template <class F>
struct Ways {
  F way[2] = {};
  Ways(void* real, void* given, const char* name, const char* symbol) {
    using Ask = int (*)(const char*, void**, int, unsigned long long, int*);
    const auto ask = reinterpret_cast<Ask>(dlsym(given, "cuGetProcAddress_v2"));
    void* found = nullptr;
    int how = 0;
    way[0] = reinterpret_cast<F>(dlsym(real, symbol));
    if (ask(name, &found, 12000, 0, &how) == 0) way[1] = reinterpret_cast<F>(found);
    if (way[0] == nullptr || way[1] == nullptr) {
      std::fprintf(stderr, "%s not found\n", name);
      std::exit(6);
    }
  }
  bool Same() const { return way[0] == way[1]; }
};

int Cost(const char* real_path) {
  CHECK(cudaFree(nullptr));
  void* const real = dlopen(real_path, RTLD_NOW | RTLD_LOCAL);
  void* const given = dlopen("libcuda.so.1", RTLD_NOW);
  if (real == nullptr || given == nullptr) return 6;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaFunction_t function;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(&Empty)));
  const Ways<LaunchFn> launch(real, given, "cuLaunchKernel", "cuLaunchKernel");
  for (int i = 0; i < 4000; ++i)
    launch.way[i & 1](function, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr);
  CHECK(cudaDeviceSynchronize());
  CompareWays({300, 500}, [&](int way) {
    launch.way[way](function, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr);
  }, launch.Same());

  const Ways<int (*)(void*, void*)> run(real, given, "cuGraphLaunch", "cuGraphLaunch");
  const cudaGraphExec_t exec = MakeGraph(stream, 0, nullptr, nullptr);
  for (int i = 0; i < 100; ++i) run.way[i & 1](exec, stream);
  CHECK(cudaDeviceSynchronize());
  CompareWays({400, 50}, [&](int way) { run.way[way](exec, stream); }, run.Same());

  using AllocFn = int (*)(unsigned long long*, size_t);
  const Ways<AllocFn> alloc(real, given, "cuMemAlloc", "cuMemAlloc_v2");
  const Ways<int (*)(unsigned long long)> release(real, given, "cuMemFree", "cuMemFree_v2");
  unsigned long long p = 0;
  CompareWays({100, 50}, [&](int way) {
    if (alloc.way[way](&p, 2 << 20) != 0 || release.way[way](p) != 0) std::exit(7);
  }, alloc.Same());

  cudaMemPool_t pool;
  unsigned long long keep = ~0ULL;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  using AsyncFn = int (*)(unsigned long long*, size_t, void*);
  using FreeFn = int (*)(unsigned long long, void*);
  const Ways<AsyncFn> take(real, given, "cuMemAllocAsync", "cuMemAllocAsync");
  const Ways<FreeFn> give(real, given, "cuMemFreeAsync", "cuMemFreeAsync");
  CompareWays({100, 1000}, [&](int way) {
    if (take.way[way](&p, 1 << 20, stream) != 0 || give.way[way](p, stream) != 0) std::exit(7);
  }, take.Same());
  return 0;
}

struct Meter {
  unsigned long long* count = nullptr;  // in host memory the device writes to
  float* sink = nullptr;
  unsigned long long Read() const { return *static_cast<volatile unsigned long long*>(count); }
};

Meter MakeMeter() {
  Meter meter;
  CHECK(cudaHostAlloc(reinterpret_cast<void**>(&meter.count), 8, cudaHostAllocMapped));
  *meter.count = 0;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&meter.sink), 4));
  return meter;
}

// About 495 dependent steps a microsecond at 1.98 GHz.
int DoWork(const std::string& kind, double start, double seconds) {
  const Meter meter = MakeMeter();
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const long steps = kind == "long" ? 24750000 : kind == "sync" ? 99000 : 9900;
  const cudaGraphExec_t exec =
      kind == "graph" ? MakeGraph(stream, 4950, meter.count, meter.sink) : nullptr;
  Work<<<132, 128, 0, stream>>>(steps, meter.count, meter.sink);
  CHECK(cudaDeviceSynchronize());
  unsigned long long first = 0, last = 0;
  bool begun = false;
  double began = 0, ended = 0;
  std::thread watcher([&] {
    while (UnixNow() < start) std::this_thread::sleep_for(std::chrono::microseconds(200));
    first = meter.Read(), began = UnixNow();
    while (UnixNow() < start + seconds) std::this_thread::sleep_for(std::chrono::microseconds(200));
    last = meter.Read(), ended = UnixNow();
    begun = true;
  });
  for (unsigned long long launched = 1; UnixNow() < start + seconds + 0.1; ++launched) {
    while (kind == "long" && launched > meter.Read() + 8)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (exec != nullptr)
      CHECK(cudaGraphLaunch(exec, stream));
    else
      Work<<<132, 128, 0, stream>>>(steps, meter.count, meter.sink);
    if (kind == "sync") CHECK(cudaStreamSynchronize(stream));
  }
  watcher.join();
  std::printf("%llu %.6f\n", last - first, ended - began);
  std::fflush(stdout);
  std::_Exit(begun ? 0 : 4);  // what is still queued is of no interest
}

int Verify() {
  int host[32], *device = nullptr;
  for (int i = 0; i < 32; ++i) host[i] = i * 7;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&device), sizeof(host)));
  CHECK(cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice));
  Twice<<<1, 32>>>(device);
  CHECK(cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i)
    if (host[i] != i * 14) return 5;
  return Info();
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  const auto number = [&](int i) { return count > i ? std::atof(words[i]) : 0.0; };
  if (what == "info") return Info();
  if (what == "launch") return Launch(static_cast<long>(number(2)));
  if (what == "graph") return Graph(static_cast<long>(number(2)));
  if (what == "cost" && count > 2) return Cost(words[2]);
  if (what == "alloc") return Alloc(static_cast<long>(number(2)), static_cast<long>(number(3)));
  if (what == "work" && count > 4) return DoWork(words[2], number(3), number(4));
  if (what == "check") return Verify();
  return 2;
}
