// Reading a workload's log: once, or as it grows, also over a restart of the server.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/session.h"
#include "cli/work/ending.h"
#include "client/client.h"

namespace yard::cli {

struct LogChoice {
  std::optional<std::int64_t> attempt;  // absent: the newest
  std::int64_t rank = 0;
  std::optional<std::int64_t> tail;  // lines
  std::string since;                 // a time in RFC 3339; empty: from the beginning
  bool timestamps = false;
  std::optional<std::int64_t> limit;  // bytes
};

using LogSink = std::function<void(std::string_view bytes)>;

client::Outcome<void> ReadLog(Session& session, const std::string& id, const LogChoice& choice,
                              const LogSink& sink);

enum class Followed { kToTheEnd, kInterrupted };
// Until the task has ended, or somebody pressed Ctrl-C.
client::Outcome<Followed> FollowLog(Session& session, const std::string& id,
                                    const LogChoice& choice, const LogSink& sink);

// The same by a connection of its own, for as long as `cancelled` says no. A server that goes away
// is waited for. Needs no session, so any thread may use one.
struct LogFollower {
  client::Options options;
  std::function<void(Micros)> wait;
  std::function<bool()> cancelled;

  client::Outcome<Followed> Follow(const std::string& id, const LogChoice& choice,
                                   const LogSink& sink) const;
};

// How following a workload came to its end.
struct Watched {
  std::optional<Ending> ending;  // nothing: somebody pressed Ctrl-C
  bool started = false;          // it had begun to run
};
// Waits for the first attempt, follows it and every later one, and tells how the workload ended.
client::Outcome<Watched> FollowToEnd(Session& session, const std::string& id, const LogSink& sink);

// Puts a text before each line, for the logs of several.
class LinePrefix {
 public:
  LinePrefix(std::string prefix, LogSink next)
      : prefix_(std::move(prefix)), next_(std::move(next)) {}
  void Take(std::string_view bytes);
  // Ends a last line that lacks its end.
  void Finish();

 private:
  std::string prefix_;
  LogSink next_;
  bool at_start_ = true;
};

// Whole lines only, those that contain `word` (in any case), or all if it is empty.
class LineFilter {
 public:
  LineFilter(std::string word, LogSink next) : word_(std::move(word)), next_(std::move(next)) {}
  void Take(std::string_view bytes);
  // The last line may lack its end.
  void Finish();

 private:
  std::string word_;
  LogSink next_;
  std::string rest_;
};

}  // namespace yard::cli
