// gpuyard-slice-client: a small CUDA driver program that does what it is told, for tests and
// measurements. It needs no CUDA headers and finds the driver by name, as any program does.
//
// Reads one command per line and answers each with one line: a result code, then numbers.
//   init | exit CODE | crash                    info | total
//   fill KIND STEP LIMIT     KIND: linear pitch managed async pool vmm vmmheld array mip graph
//   alloc KIND BYTES         free INDEX          freeall      sync
//   random SEED COUNT        hammer SECONDS SEED MAX_BYTES
//   lookup NAME VERSION FLAGS (who answers: "ours", "real" or "none")
//   launch COUNT MICROSECONDS [SYNC_EACH]        spin SECONDS MICROSECONDS SYNC_EACH
//   graphspin SECONDS MICROSECONDS NODES         threads COUNT ROUNDS
//   fork | exec | release | reset | nulls | closefiles | nobody (become that user)
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <sstream>

#include "slice/tool/client_driver.h"
#include "slice/tool/client_load.h"

namespace yard::slice::client {
namespace {

std::string Fill(Driver& driver, std::istream& words) {
  std::string kind;
  std::uint64_t step = 0, most = ~0ULL, count = 0;
  words >> kind >> step >> most;
  int code = 0;
  while (count * step < most) {
    code = driver.Allocate(kind, step);
    if (code != 0) break;
    ++count;
  }
  return std::to_string(code) + " " + std::to_string(count) + " " + std::to_string(count * step);
}

std::string Info(Driver& driver) {
  std::size_t free = 0, total = 0, device = 0;
  const int code = driver.Call("cuMemGetInfo_v2", &free, &total);
  driver.Call("cuDeviceTotalMem_v2", &device, 0);
  return std::to_string(code) + " " + std::to_string(free) + " " + std::to_string(total) + " " +
         std::to_string(device);
}

std::string Lookup(Driver& driver, std::istream& words) {
  std::string name;
  int version = 0, how = -1;
  std::uint64_t flags = 0;
  words >> name >> version >> flags;
  void* found = nullptr;
  const int code = driver.Call("cuGetProcAddress_v2", name.c_str(), &found, version, flags, &how);
  Dl_info where{};
  std::string who = "none";
  if (found != nullptr && dladdr(found, &where) != 0)
    who = driver.IsOurs(where.dli_fbase) ? "ours" : "real";
  return std::to_string(code) + " " + who + " " + std::to_string(how);
}

// A child that tries to use the GPU after fork; its first code and allocation code come back.
std::string Fork(Driver& driver) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) _exit(driver.Start() == 0 && driver.Allocate("linear", 1 << 20) == 0 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

std::string Free(Driver& driver, std::istream& words) {
  std::size_t index = 0;
  words >> index;
  return std::to_string(driver.Free(index));
}

std::string Alloc(Driver& driver, std::istream& words) {
  std::string kind;
  std::uint64_t bytes = 0;
  words >> kind >> bytes;
  return std::to_string(driver.Allocate(kind, bytes)) + " " + std::to_string(driver.count());
}

std::string Obey(Driver& driver, const std::string& line) {
  std::istringstream words(line);
  std::string command;
  words >> command;
  if (command == "init") return std::to_string(driver.Start());
  if (command == "fill") return Fill(driver, words);
  if (command == "alloc") return Alloc(driver, words);
  if (command == "free") return Free(driver, words);
  if (command == "freeall") return std::to_string(driver.FreeAll());
  if (command == "info") return Info(driver);
  if (command == "nulls") return std::to_string(driver.Call("cuMemGetInfo_v2", nullptr, nullptr));
  if (command == "lookup") return Lookup(driver, words);
  if (command == "sync") return std::to_string(driver.Call("cuCtxSynchronize"));
  if (command == "random") return Random(driver, words);
  if (command == "hammer") return Hammer(driver, words);
  if (command == "launch") return Launch(driver, words);
  if (command == "spin") return Spin(driver, words);
  if (command == "graphspin") return GraphSpin(driver, words);
  if (command == "threads") return Threads(driver, words);
  if (command == "fork") return Fork(driver);
  if (command == "reset") return std::to_string(driver.Reset());
  if (command == "release") return std::to_string(driver.Stop());
  if (command == "closefiles") return std::to_string(close_range(3, ~0U, 0));
  if (command == "nobody") return std::to_string(setgid(65534) | setuid(65534));
  if (command == "crash") raise(SIGSEGV);
  return "? " + line;
}

}  // namespace
}  // namespace yard::slice::client

int main(int count, char** words) {
  using namespace yard::slice::client;
  Driver driver;
  if (const int code = driver.Open(count > 1 ? words[1] : "libcuda.so.1"); code != 0) return code;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.starts_with("exec")) {
      std::cout << "0" << std::endl;  // nothing more is sent until this is read
      execv("/proc/self/exe", words);
      return 9;
    }
    if (line.starts_with("exit")) return 0;
    std::cout << Obey(driver, line) << std::endl;
  }
  return 0;
}
