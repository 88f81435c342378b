// gpuyard-slice-vulkan: a small Vulkan program without a window that does what it is told, for
// tests and measurements. It finds Vulkan's loader by name, as any program does.
//
// Reads one command per line and answers each with one line: a result code, then numbers.
//   open [NUMBER] | open10 (as a program of Vulkan 1.0)      name          start | stop
//   heaps (bytes shown as the GPU's, and the budget)         freeall
//   alloc BYTES | host BYTES | free INDEX                    fill STEP LIMIT
//   shared BYTES (allocates for others; a descriptor)        import BYTES (of `shared`, by Vulkan)
//   cuda (cuInit and a context)                              cualloc BYTES
//   cuimport BYTES (of `shared`, or of descriptor -1, by CUDA)             culet (the last of
//   these) threads COUNT ROUNDS
#include <dlfcn.h>

#include <iostream>
#include <sstream>
#include <thread>
#include <vector>

#include "slice/cuda/cuda_abi.h"
#include "slice/tool/vulkan_device.h"

namespace yard::slice::client {
namespace {

class Program {
 public:
  std::string Obey(const std::string& line);

 private:
  std::string Fill(std::istream& words);
  std::string Shared(std::uint64_t bytes);
  std::string Threads(std::istream& words);
  int Cuda();
  int CudaImport(std::uint64_t bytes);
  template <class... Args>
  int Call(const char* name, Args... args) const {
    auto* const function = reinterpret_cast<int (*)(Args...)>(dlsym(cuda_, name));
    return function == nullptr ? -1 : function(args...);
  }

  VulkanDevice device_;
  void* cuda_ = nullptr;
  void* imported_ = nullptr;
  int descriptor_ = -1;
};

std::string Program::Fill(std::istream& words) {
  std::uint64_t step = 0, most = 0, count = 0;
  words >> step >> most;
  int code = 0;
  while (count * step < most) {
    code = device_.Allocate(step);
    if (code != 0) break;
    ++count;
  }
  return std::to_string(code) + " " + std::to_string(count) + " " + std::to_string(count * step);
}

std::string Program::Shared(std::uint64_t bytes) {
  const int code = device_.AllocateShared(bytes, &descriptor_);
  return std::to_string(code) + " " + std::to_string(descriptor_);
}

int Program::Cuda() {
  cuda_ = dlopen("libcuda.so.1", RTLD_NOW);
  if (cuda_ == nullptr) return -1;
  void* context = nullptr;
  int code = Call("cuInit", 0U);
  if (code == 0) code = Call("cuDevicePrimaryCtxRetain", &context, 0);
  return code == 0 ? Call("cuCtxSetCurrent", context) : code;
}

int Program::CudaImport(std::uint64_t bytes) {
  cuda::ExternalMemoryDesc desc{};
  desc.type = cuda::kExternalOpaqueFd;
  desc.handle[0] = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor_));
  desc.size = bytes;
  return Call("cuImportExternalMemory", &imported_, &desc);
}

// Each has a device of its own, takes memory and frees it; how many allocations failed.
std::string Program::Threads(std::istream& words) {
  int count = 0, rounds = 0;
  words >> count >> rounds;
  std::vector<std::thread> threads;
  std::vector<int> failures(static_cast<std::size_t>(count));
  threads.reserve(failures.size());
  for (int& failed : failures)
    threads.emplace_back([&failed, rounds] {
      VulkanDevice own;
      if (own.Open(VK_API_VERSION_1_1, 0) != 0 || own.Start() != 0) {
        failed = rounds;
        return;
      }
      for (int i = 0; i < rounds; ++i) {
        if (own.Allocate(3 << 20) != 0) ++failed;
        if (i % 3 == 2) own.FreeAll();
      }
      own.Stop();
    });
  int sum = 0;
  for (std::thread& thread : threads) thread.join();
  for (const int failed : failures) sum += failed;
  return std::to_string(sum);
}

std::string Program::Obey(const std::string& line) {
  std::istringstream words(line);
  std::string command;
  words >> command;
  if (command == "fill") return Fill(words);
  if (command == "threads") return Threads(words);
  std::uint64_t number = 0;
  words >> number;
  const auto text = [](int code) { return std::to_string(code); };
  if (command == "open")
    return text(device_.Open(VK_API_VERSION_1_1, static_cast<std::uint32_t>(number)));
  if (command == "open10") return text(device_.Open(VK_API_VERSION_1_0, 0));
  if (command == "name") return device_.Name();
  if (command == "start") return text(device_.Start());
  if (command == "stop") return text(device_.Stop());
  if (command == "alloc") return text(device_.Allocate(number));
  if (command == "host") return text(device_.Allocate(number, VulkanDevice::Where::kHost));
  if (command == "free") return text(device_.Free(number));
  if (command == "shared") return Shared(number);
  if (command == "import") return text(device_.Import(number, descriptor_));
  if (command == "cuda") return text(Cuda());
  if (command == "cualloc") return text(Call("cuMemAlloc_v2", &imported_, number));
  if (command == "cuimport") return text(CudaImport(number));
  if (command == "culet") return text(Call("cuDestroyExternalMemory", imported_));
  if (command == "freeall") {
    device_.FreeAll();
    return "0";
  }
  if (command == "heaps") {
    const Heaps heaps = device_.ReadHeaps();
    return std::to_string(heaps.total) + " " + std::to_string(heaps.budget);
  }
  return "? " + line;
}

}  // namespace
}  // namespace yard::slice::client

int main() {
  yard::slice::client::Program program;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << program.Obey(line) << std::endl;
  return 0;
}
