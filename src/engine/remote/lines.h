// Connections to the process of an engine: as many as there are calls at once, each used for one
// call at a time. Thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "engine/remote/calls.h"
#include "engine/remote/messages.h"

namespace yard::engine::remote {

// The value of an answer, and the descriptors that came with it.
template <class T>
struct Answered {
  T value;
  std::vector<UniqueFd> descriptors;
};

class Lines {
 public:
  // New lines are handed over by `control`.
  explicit Lines(UniqueFd control) : control_(std::move(control)) {}

  // Sends the call and waits for its answer; kUnavailable if the other process is gone.
  template <class T, class... Arguments>
  Result<Answered<T>> AskWith(std::span<const int> descriptors, CallKind kind,
                              const Arguments&... arguments) {
    ValueWriter out;
    out(kind, arguments...);
    YARD_ASSIGN(Message message, Exchange(out.Take(), descriptors));
    ValueReader in(message.bytes);
    bool good = false;
    in(good);
    if (!good) return Fail(ErrorIn(in));
    Answered<T> answered{{}, std::move(message.descriptors)};
    in(answered.value);
    if (!in.whole()) return Gone();
    return answered;
  }
  template <class T, class... Arguments>
  Result<T> Ask(CallKind kind, const Arguments&... arguments) {
    YARD_ASSIGN(Answered<T> answered, AskWith<T>({}, kind, arguments...));
    return std::move(answered.value);
  }
  template <class... Arguments>
  Status Tell(CallKind kind, const Arguments&... arguments) {
    YARD_TRY(Ask<bool>(kind, arguments...));
    return {};
  }

 private:
  static std::unexpected<Error> Gone();
  static Error ErrorIn(ValueReader& in);
  Result<Message> Exchange(const std::string& request, std::span<const int> descriptors);
  std::optional<UniqueFd> TakeLine();

  const UniqueFd control_;
  Mutex mutex_;
  std::vector<UniqueFd> idle_ YARD_GUARDED_BY(mutex_);
};

}  // namespace yard::engine::remote
