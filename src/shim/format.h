// What the server and a task's shim say to each other: files in the task's folder, and signals.
//
// The folder of a task, <root>/tasks/<attempt>.<rank>/ (all but `work`, `tmp` and what is in
// `outputs` belong to the server's account):
//
//   spec        what to run. Lines `key=value`, each ended by a NUL byte. Whole only if its last
//               line is `end=1`: a spec without it was never taken and may be removed.
//   state       made (exclusively) by the shim that takes the task: `shim=<pid>`; once the command
//               runs `born=<boot id>/<ticks>` (field 22 of its stat, which tells it from others
//               with its number), `pid=<pid>` and `started=<micros>`; then how it ended, from
//               `cause` to `message` (see the keys below). Lines ended by a newline, only ever
//               appended. An end without its `message` line is none; the first whole one counts.
//   log.<n>, log.times   the log, see shim/log_format.h
//   work        the working directory unless another was asked for; stays until Forget
//   outputs/<name>  folders that the task sees elsewhere and that are saved at its end; stay until
//               Forget; `outputs` itself is the server's
//   tmp         $TMPDIR; empty when the task has ended
//   files/<n>   contents of mounted files; gone when the task has ended
//   tty.sock    of a task with a terminal: who connects is attached to it
//   mounts/<n>  network folders of a container, mounted for the daemon; gone when it has ended
//   stop        an order for a shim that no queued signal reaches from where the server is (see
//               StopOrder): lines `signal=<number>` and `grace=<milliseconds>`, read at SIGTERM
//   refusal     why a daemon did not start the task's container, in its own words; no end then
//
// The shim holds an exclusive flock on `spec` as long as it lives. Who can take that lock knows
// that no shim lives; who cannot, knows that the pid in `state` is the shim's and nobody else's.
//
// This header is used by the shim, which has no C++ library: constants and arithmetic only.
#pragma once

#include <cstdint>

namespace yard::shim {

inline constexpr char kSpecName[] = "spec";
inline constexpr char kStateName[] = "state";
inline constexpr char kWorkName[] = "work";
inline constexpr char kOutputsName[] = "outputs";
inline constexpr char kTmpName[] = "tmp";
inline constexpr char kFilesName[] = "files";
inline constexpr char kTtyName[] = "tty.sock";
inline constexpr char kRefusalName[] = "refusal";
inline constexpr char kStopName[] = "stop";
inline constexpr char kMountsName[] = "mounts";

// In the server's root: the shim sends `state` there as a datagram, headed by a line
// `task=<attempt>/<rank>`. Nobody listening is no error: the folder is the truth.
inline constexpr char kEventsName[] = "events.sock";

inline constexpr char kSpecEnd[] = "end=1";

// Keys of `spec` that the shim reads; it skips all others.
namespace key {
inline constexpr char kTask[] = "run.task";      // <attempt>/<rank>
inline constexpr char kEvents[] = "run.events";  // path of events.sock
inline constexpr char kArg[] = "run.arg";        // one per argument; the first is the program
inline constexpr char kEnv[] = "run.env";        // NAME=VALUE
// Variables of the shim's own environment whose names begin so are the command's too.
inline constexpr char kInherit[] = "run.inherit";
// An empty file to make when the command has started and when it has ended, for a server that
// shares only a file system with the shim.
inline constexpr char kMark[] = "run.mark";
inline constexpr char kCwd[] = "run.cwd";  // absolute
inline constexpr char kUid[] = "run.uid";  // absent: stays as it is
inline constexpr char kGid[] = "run.gid";
inline constexpr char kAsRoot[] = "run.root";   // "1": root may stay root; else it needs a uid
inline constexpr char kGroup[] = "run.group";   // one per supplementary group
inline constexpr char kTty[] = "run.tty";       // "1"
inline constexpr char kLogLimit[] = "run.log";  // bytes kept
inline constexpr char kTree[] = "run.tree";     // v2 group: made, joined at birth, removed
inline constexpr char kGroupV1[] = "run.v1";    // v1 group: made, joined, removed
inline constexpr char kSet[] = "run.set";       // <file>=<value>, written before the start
// Of character devices with such a major number, only those granted can be opened: <major>, and
// <major>:<minor>. Kept by a filter on the tree.
inline constexpr char kGuardDevices[] = "run.guard";
inline constexpr char kGrantDevice[] = "run.grant";
inline constexpr char kOom[] = "run.oom";  // file whose oom_kill count tells OOM apart
// <kind> <ro|rw>\t<source>\t<target>. `bind`: a path of the machine, opened with the rights of the
// task's account; `own`: one of the server's; `nfs`.
inline constexpr char kMount[] = "run.mount";
inline constexpr char kSync[] = "run.sync";  // "1": the end is flushed to disk
// Instead of arguments, for a container that is there already but was not started:
inline constexpr char kDaemon[] = "run.daemon";        // path of the daemon's socket
inline constexpr char kContainer[] = "run.container";  // name
inline constexpr char kParent[] = "run.parent";        // group around it: "/gpuyard/…"
}  // namespace key

// Keys of an end in `state`, in this order.
namespace end {
inline constexpr char kCause[] = "cause";      // as Name(EndCause)
inline constexpr char kCode[] = "code";        // absent unless it exited
inline constexpr char kSignal[] = "signal";    // absent unless it died by one
inline constexpr char kAt[] = "at";            // microseconds since 1970
inline constexpr char kStarted[] = "started";  // absent if it never ran
inline constexpr char kLog[] = "log";          // bytes ever written to the log
inline constexpr char kCpu[] = "cpu";          // microseconds, of it and all its children
inline constexpr char kMemory[] = "memory";    // KiB, the most its largest process had
inline constexpr char kRead[] = "read";        // bytes
inline constexpr char kWrite[] = "write";
inline constexpr char kMessage[] = "message";  // one line
}  // namespace end

// Accounts that work may run as. Those below are the system's: Debian gives people numbers from
// 1000 on.
constexpr bool IsPersonal(std::int64_t uid, std::int64_t gid) {
  return uid >= 1000 && gid > 0;
}

// The descriptor that the shim may be given to hold open as long as the task runs (the region of
// its GPU slice).
inline constexpr int kKeptFd = 3;

// `gpuyard-shim serve` finds a socket of packets at this descriptor: each order is the path of a
// folder, perhaps with a descriptor to be kept; each answer is the shim's pid or a negated errno.
inline constexpr int kLauncherFd = 3;

// A stop order is one queued signal with a value: the signal for the command and how long to wait
// before everything is killed. Repeated orders are fine; the earliest kill counts.
inline constexpr int kStopOffset = 1;  // SIGRTMIN + 1
inline constexpr std::int64_t kGraceMax = (std::int64_t{1} << 48) - 1;

struct StopOrder {
  int signal = 15;
  std::int64_t grace_ms = 0;
};

constexpr std::uint64_t PackStop(StopOrder order) {
  const std::int64_t grace = order.grace_ms < 0           ? 0
                             : order.grace_ms > kGraceMax ? kGraceMax
                                                          : order.grace_ms;
  return static_cast<std::uint64_t>(grace) << 8 | static_cast<std::uint64_t>(order.signal & 0xff);
}

constexpr StopOrder UnpackStop(std::uint64_t value) {
  return {static_cast<int>(value & 0xff), static_cast<std::int64_t>(value >> 8)};
}

// Who connects to tty.sock says by one byte what the connection is for.
enum class TtyUse : std::uint8_t {
  kStream = 's',   // the terminal's bytes, both ways; output ends when the task has
  kControl = 'c',  // TtySize messages to the terminal, nothing back
};

struct TtySize {
  std::uint16_t rows = 0;
  std::uint16_t columns = 0;
};

}  // namespace yard::shim
