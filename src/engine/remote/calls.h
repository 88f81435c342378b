// What one process may ask of the engine in the other, and what comes back unasked.
//
// A request is a CallKind and its arguments, an answer is `true` and a value or `false` and an
// Error. Arguments are in the order of the engine's own (engine/engine.h). Sessions and log
// watches are named by numbers: those of sessions come from the engine's side, those of watches
// from the caller's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/remote/fields.h"

namespace yard::engine::remote {

enum class CallKind {
  kOpen,  // the first: opens the engine; takes the descriptor for events; answers with Opened
  kNodes,
  kAdopt,
  kLaunch,
  kStop,
  kSetGpuLimits,
  kPark,
  kUnpark,
  kStatusOf,
  kUsageOf,
  kForget,
  kExec,
  kAttach,
  kReadLog,
  kLogOffsetAt,
  kWatchLog,    // also the number of the watch
  kUnwatchLog,  // the number of the watch
  kConnectPort,
  kReadFiles,
  kWriteFiles,
  kListOutput,
  kCloseInput,  // the number of the session, as for those below
  kResize,
  kWait,
  kEndSession,
  kResolvePath,  // where a path of the machine leads to
};
template <>
inline constexpr CallKind kLast<CallKind> = CallKind::kResolvePath;

enum class EventKind { kTask, kNodes, kNote, kLost, kLogGrown };
template <>
inline constexpr EventKind kLast<EventKind> = EventKind::kLogGrown;

struct Opened {
  Capabilities can;
  std::vector<std::string> closed;  // folders and sockets that no work may mount
};
void Fields(auto& archive, Opened& v) {
  archive(v.can, v.closed);
}

// A session that was begun. Its descriptors come in this order: output, ended, then input and
// error where they are.
struct Begun {
  std::int64_t session = 0;
  bool takes_input = false;
  bool input_is_output = false;  // a terminal: one descriptor for both
  bool has_error = false;
};
void Fields(auto& archive, Begun& v) {
  archive(v.session, v.takes_input, v.input_is_output, v.has_error);
}

}  // namespace yard::engine::remote
