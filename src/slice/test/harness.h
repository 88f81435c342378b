// What the driver tests stand on: a node with a fake GPU and a keeper, and programs inside slices.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "slice/agent/keeper.h"

namespace yard::slice {

inline constexpr std::uint64_t kMib = 1ULL << 20;
inline constexpr std::uint64_t kGib = 1ULL << 30;

using Environment = std::vector<std::string>;

// A running gpuyard-slice-client (or any program that answers lines with lines).
class Client {
 public:
  Client(const std::vector<std::string>& command, const Environment& environment);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Send(const std::string& line);
  std::string Receive();  // empty when the program has ended
  std::string Ask(const std::string& line);
  std::vector<std::int64_t> Numbers(const std::string& line);
  // The wait status; ends the program's input first.
  int Finish();
  void Kill();
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  std::string rest_;
};

class Node {
 public:
  Node();
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  void StartKeeper(const std::string& library = {});
  void StopKeeper() { keeper_.reset(); }
  Keeper& keeper() { return *keeper_; }

  // A slice of the fake GPU; its folder.
  std::string Add(const std::string& name, std::uint64_t hard, std::uint32_t share = 0,
                  ShareMode mode = ShareMode::kNone);
  // One that may grow from its request to its limit.
  std::string AddGrowing(const std::string& name, std::uint64_t request, std::uint64_t limit);
  // One on a GPU of which nobody knows what a context takes.
  std::string AddUnlearned(const std::string& name, std::uint64_t hard);
  // Says that the process is one of the workload's, as its control group would.
  void Claim(const std::string& slice, pid_t pid);
  // Waits until such an event has come; false after five seconds.
  bool AwaitEvent(EventKind kind, const std::string& slice);
  // What the last of them said.
  std::string TextOf(EventKind kind, const std::string& slice);
  GpuState State(const std::string& name);
  int Processes(const std::string& name);
  // Waits until the slice has that many processes; false after five seconds.
  bool Await(const std::string& name, int processes);

  Environment Base() const;                             // the fake GPU only
  Environment Inside(const std::string& folder) const;  // and the slice
  std::unique_ptr<Client> Start(const std::string& folder);

  std::string root;

 private:
  std::mutex mutex_;
  std::vector<Event> events_;                         // guarded by mutex_
  std::map<std::string, std::vector<pid_t>> claims_;  // guarded by mutex_
  std::unique_ptr<Keeper> keeper_;
  std::uint64_t next_ = 1;
};

// A process that keeps the region's descriptor, as the one that watches over a task does.
class Holder {
 public:
  explicit Holder(int fd);
  ~Holder();
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

// Bytes the fake GPU really holds: of one process, and of all.
std::uint64_t TrueBytes(pid_t pid);
std::uint64_t TrueBytes();
// As if somebody else's checkpoint held the process.
void HoldByCheckpoint(pid_t pid);

std::string BuildPath(const std::string& file);  // inside the build's src/slice folder

}  // namespace yard::slice
