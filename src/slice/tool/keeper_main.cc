// gpuyard-slice-keeper: the keeper as a program of its own, for tests and measurements.
//
//   gpuyard-slice-keeper ROOT LIBRARY_FOLDER REAL_LIBCUDA REAL_NVML
//
// Reads one command per line, answers each with one line of JSON:
//   add NAME NUMBER UUID BYTES CONTEXT_BYTES [SHARE_MILLI strict|fair|interactive]
//   grow NAME NUMBER UUID REQUEST LIMIT CONTEXT_BYTES GPU_BYTES (may grow from request to limit)
//   adopt NAME NUMBER HOLDER_PID      stat NAME             events (those since the last asking)
//   limit NAME BYTES                  limits NAME REQUEST LIMIT
//   hold NAME (start a process that keeps the region open; answers its pid)
//   park NAME      unpark NAME        remove NAME           quit
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "slice/agent/keeper.h"

namespace yard::slice {
namespace {

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::string Failure(const Error& error) {
  return "{\"error\":" + Quoted(error.message) + "}";
}

std::string Folder(const Result<std::string>& folder) {
  return folder ? "{\"folder\":" + Quoted(*folder) + "}" : Failure(folder.error());
}

std::string Done(const Status& status) {
  return status ? "{\"ok\":true}" : Failure(status.error());
}

std::string Add(Keeper& keeper, std::istream& words) {
  SliceSpec spec;
  std::string uuid, mode;
  GpuLimit gpu;
  words >> spec.name >> spec.number >> uuid >> gpu.hard >> gpu.context_bytes;
  if (words >> gpu.share_milli >> mode)
    spec.mode = mode == "strict"        ? ShareMode::kStrict
                : mode == "interactive" ? ShareMode::kInteractive
                                        : ShareMode::kFair;
  const auto parsed = ParseUuid(uuid);
  if (!parsed) return Failure({Code::kInvalid, "bad GPU id " + uuid});
  gpu.uuid = *parsed;
  gpu.soft = gpu.hard;
  spec.gpus = {gpu};
  return Folder(keeper.Add(spec));
}

std::string AddGrowing(Keeper& keeper, std::istream& words) {
  SliceSpec spec;
  std::string uuid;
  GpuLimit gpu;
  words >> spec.name >> spec.number >> uuid >> gpu.soft >> gpu.hard >> gpu.context_bytes >>
      gpu.physical;
  const auto parsed = ParseUuid(uuid);
  if (!parsed) return Failure({Code::kInvalid, "bad GPU id " + uuid});
  gpu.uuid = *parsed;
  spec.gpus = {gpu};
  return Folder(keeper.Add(spec));
}

class EventLog {
 public:
  void Add(const std::string& line) {
    std::lock_guard hold(mutex_);
    lines_.push_back(line);
  }
  std::string Take() {
    std::lock_guard hold(mutex_);
    std::string out;
    for (const std::string& line : lines_) out += (out.empty() ? "" : ",") + Quoted(line);
    lines_.clear();
    return "{\"events\":[" + out + "]}";
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;  // guarded by mutex_
};

std::string Stat(Keeper& keeper, const std::string& name) {
  const auto state = keeper.State(name);
  if (!state) return Failure(state.error());
  const GpuState& gpu = state->gpus[0];
  std::ostringstream out;
  out << "{\"processes\":" << state->processes << ",\"hard\":" << gpu.hard
      << ",\"used\":" << gpu.used << ",\"overhead\":" << gpu.overhead
      << ",\"refused\":" << gpu.refused << ",\"drift\":" << gpu.drift
      << ",\"lease_ns\":" << gpu.lease_ns << ",\"request\":" << gpu.request
      << ",\"limit\":" << gpu.limit << ",\"room\":" << gpu.room
      << ",\"parked\":" << (state->parked ? "true" : "false") << "}";
  return out.str();
}

// The child keeps its copy of the region's descriptor, as a task's watcher would.
std::string Hold(Keeper& keeper, const std::string& name) {
  const auto fd = keeper.RegionFd(name);
  if (!fd) return Failure(fd.error());
  const pid_t child = fork();
  if (child == 0) {
    for (int other = 0; other < 256; ++other)
      if (other != *fd) close(other);
    for (;;) pause();
  }
  return "{\"pid\":" + std::to_string(child) + "}";
}

std::string Obey(Keeper& keeper, const std::string& line) {
  std::istringstream words(line);
  std::string command, name;
  words >> command;
  if (command == "add") return Add(keeper, words);
  if (command == "grow") return AddGrowing(keeper, words);
  words >> name;
  std::uint64_t number = 0, limit = 0;
  pid_t holder = 0;
  if (command == "limit" && words >> number)
    return Done(keeper.SetLimits(name, 0, {number, number}));
  if (command == "limits" && words >> number >> limit)
    return Done(keeper.SetLimits(name, 0, {number, limit}));
  if (command == "adopt" && words >> number >> holder)
    return Folder(keeper.Adopt({name, number, {}}, holder));
  if (command == "stat") return Stat(keeper, name);
  if (command == "hold") return Hold(keeper, name);
  if (command == "park") return Done(keeper.Park(name, Seconds(10)));
  if (command == "unpark") return Done(keeper.Unpark(name, Seconds(10)));
  if (command == "remove") return Done(keeper.Remove(name));
  return Failure({Code::kInvalid, "what is " + line + "?"});
}

int Main(int count, char** words) {
  if (count != 5) {
    std::cerr << "usage: gpuyard-slice-keeper ROOT LIBRARY_FOLDER REAL_LIBCUDA REAL_NVML\n";
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  EventLog events;
  Keeper keeper({words[1], words[2], words[3], words[4]}, [&events](const Event& event) {
    static constexpr const char* kNames[] = {"joined",     "left",       "refused",
                                             "over-limit", "audit-lost", "above-request",
                                             "gave-back",  "written"};
    events.Add(std::string(kNames[static_cast<int>(event.kind)]) + " " + event.slice + " " +
               event.text);
  });
  for (std::string line; std::getline(std::cin, line) && line != "quit";)
    std::cout << (line == "events" ? events.Take() : Obey(keeper, line)) << std::endl;
  return 0;
}

}  // namespace
}  // namespace yard::slice

int main(int count, char** words) {
  return yard::slice::Main(count, words);
}
