#include "tools/tidy/calls.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::tools {
namespace {

struct Ban {
  std::string_view call;
  std::string_view allowed_in;  // modules beside base and app; "test" stands for tests
  std::string_view instead;
};

constexpr std::string_view kTime = "take the time as an argument (base/time.h)";
constexpr std::string_view kRandom = "take a Random& (base/random.h)";
constexpr std::string_view kSleep = "wait for the event itself";
constexpr std::string_view kEnvironment = "app reads the environment and passes values on";
constexpr std::string_view kShell = "start programs without a shell";
constexpr std::string_view kDetach = "own the thread and join it";

constexpr std::array kBans = {
    Ban{"time(nullptr)", "slice test", kTime},
    Ban{"time(NULL)", "slice test", kTime},
    Ban{"time(0)", "slice test", kTime},
    Ban{"std::time(", "slice test", kTime},
    Ban{"gettimeofday", "slice test", kTime},
    Ban{"clock_gettime", "shim slice test", kTime},
    Ban{"localtime(", "test", kTime},
    Ban{"system_clock::now", "slice test", kTime},
    Ban{"high_resolution_clock", "", kTime},
    Ban{"steady_clock::now", "http slice test tools", kTime},
    Ban{"rand(", "", kRandom},
    Ban{"srand(", "", kRandom},
    Ban{"random_device", "", kRandom},
    Ban{"getenv", "slice test", kEnvironment},
    Ban{"setenv", "slice test", kEnvironment},
    Ban{"sleep_for", "slice", kSleep},
    Ban{"sleep_until", "slice", kSleep},
    Ban{"usleep", "slice", kSleep},
    Ban{"nanosleep", "slice", kSleep},
    Ban{"sleep(", "slice", kSleep},
    Ban{".detach()", "slice", kDetach},
    Ban{"system(", "", kShell},
    Ban{"popen(", "tools test", kShell},
};

// What a pure module must not include, by the start of the name.
constexpr std::array<std::string_view, 16> kImpure = {
    "mutex",    "shared_mutex", "thread",      "condition_variable", "atomic",     "future",
    "iostream", "fstream",      "chrono",      "boost/json",         "boost/asio", "spdlog/",
    "unistd.h", "sys/",         "base/json.h", "base/log.h",
};

// Rooms that decide and never wait: threads, locks and timers lie in control/runtime.
constexpr std::array<std::string_view, 6> kThreads = {
    "mutex", "thread", "condition_variable", "atomic", "future", "chrono",
};
constexpr std::array<std::string_view, 2> kWithoutThreads = {"src/control/dispatch/",
                                                             "src/serversim/"};

bool IsPure(std::string_view module) {
  return module == "sched" || module == "tune";
}

bool Allowed(const Ban& ban, const Source& source) {
  std::string module = ModuleOf(source.path);
  if (module == "base" || module == "app" || module == "bench" || module == "tests") return true;
  for (std::string_view allowed : Split(ban.allowed_in, ' ')) {
    if (allowed == module) return true;
    if (allowed == "test" && IsTest(source.path)) return true;
  }
  return false;
}

bool Calls(std::string_view line, std::string_view call) {
  for (std::size_t at = line.find(call); at != std::string_view::npos;
       at = line.find(call, at + 1)) {
    if (!IsWordAt(line, at, call)) continue;
    // A member of the same name is somebody else's function.
    std::string_view before = line.substr(0, at);
    if (before.ends_with('.') || before.ends_with("->")) continue;
    return true;
  }
  return false;
}

void CheckLine(const Source& source, std::size_t index, std::vector<Finding>& findings) {
  for (const Ban& ban : kBans) {
    if (!Calls(source.code[index], ban.call) || Allowed(ban, source)) continue;
    findings.push_back({source.path, static_cast<int>(index) + 1, "banned",
                        fmt::format("'{}' is not for this module: {}", ban.call, ban.instead)});
  }
}

void CheckPurity(const Source& source, std::vector<Finding>& findings) {
  if (!IsPure(ModuleOf(source.path)) || IsTest(source.path)) return;
  for (const Include& include : source.includes) {
    bool impure = std::ranges::any_of(kImpure, [&](std::string_view name) {
      return include.path == name || (include.path.starts_with(name) && name.contains('/'));
    });
    if (!impure) continue;
    findings.push_back({source.path, include.line, "pure",
                        fmt::format("'{}' has no place in a pure module", include.path)});
  }
}

void CheckThreads(const Source& source, std::vector<Finding>& findings) {
  bool without = std::ranges::any_of(
      kWithoutThreads, [&](std::string_view folder) { return source.path.starts_with(folder); });
  if (!without || IsTest(source.path)) return;
  for (const Include& include : source.includes) {
    if (std::ranges::find(kThreads, include.path) == kThreads.end()) continue;
    findings.push_back({source.path, include.line, "threads",
                        fmt::format("'{}' belongs into control/runtime", include.path)});
  }
}

}  // namespace

void CheckCalls(const Source& source, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < source.code.size(); ++i) CheckLine(source, i, findings);
  CheckPurity(source, findings);
  CheckThreads(source, findings);
}

}  // namespace yard::tools
