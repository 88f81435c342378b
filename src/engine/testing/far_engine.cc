#include "engine/testing/far_engine.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <type_traits>
#include <utility>

#include "base/random.h"

namespace yard::engine::testing {
namespace {

constexpr int kMostTries = 1000;
constexpr std::uint64_t kLongestDelay = 1500;  // microseconds

template <class Answer>
inline constexpr bool kIsList = requires(Answer answer) { answer.front(); };

template <class Answer>
Answer NoAnswer() {
  if constexpr (kIsList<Answer>) {
    return {};
  } else {
    return Fail(Code::kUnavailable, "the far engine does not answer");
  }
}

template <class Answer>
bool IsAnswer(const Answer& answer) {
  if constexpr (kIsList<Answer>) {
    return !answer.empty();
  } else {
    return answer.has_value() || answer.error().code != Code::kUnavailable;
  }
}

// What the network does to calls.
class Network {
 public:
  explicit Network(std::uint64_t seed) : random_(seed) {}

  template <class Call>
  auto operator()(const Call& call) -> std::invoke_result_t<Call> {
    using Answer = std::invoke_result_t<Call>;
    switch (Next()) {
      case Fate::kLost:
        return NoAnswer<Answer>();
      case Fate::kAnswerLost: {
        const Answer lost = call();
        return NoAnswer<Answer>();
      }
      case Fate::kTwice: {
        const Answer first = call();
        return call();
      }
      case Fate::kArrives:
        return call();
    }
    return call();
  }
  Listener Around(Listener listener) {
    auto twice = [this]<class T>(std::function<void(const T&)> tell) {
      return [this, tell = std::move(tell)](const T& news) {
        if (!tell) return;
        tell(news);
        if (Next() == Fate::kTwice) tell(news);
      };
    };
    return {.on_task = twice(std::move(listener.on_task)),
            .on_nodes = twice(std::move(listener.on_nodes)),
            .on_note = std::move(listener.on_note),
            .on_lost = std::move(listener.on_lost)};
  }

 private:
  enum class Fate { kLost, kAnswerLost, kTwice, kArrives };

  Fate Next() {
    std::unique_lock lock(mutex_);
    const auto delay = std::chrono::microseconds(random_.Below(kLongestDelay));
    never_.wait_for(lock, delay, [] { return false; });
    switch (random_.Below(8)) {
      case 0:
        return Fate::kLost;
      case 1:
        return Fate::kAnswerLost;
      case 2:
        return Fate::kTwice;
      default:
        return Fate::kArrives;
    }
  }

  std::mutex mutex_;
  std::condition_variable never_;
  SeededRandom random_;  // guarded by mutex_
};

class Persistence {
 public:
  template <class Call>
  auto operator()(const Call& call) -> std::invoke_result_t<Call> {
    auto answer = call();
    for (int i = 0; i < kMostTries && !IsAnswer(answer); ++i) answer = call();
    return answer;
  }
  Listener Around(Listener listener) { return listener; }
};

// Every call of the inner engine goes through `Way`.
template <class Way>
class Around final : public Engine, public TaskLogs {
 public:
  template <class... Arguments>
  explicit Around(Engine& inner, Arguments... arguments) : inner_(inner), way_(arguments...) {}
  void Own(std::unique_ptr<Engine> inner) { owned_ = std::move(inner); }

  Capabilities capabilities() const override { return inner_.capabilities(); }
  Result<std::vector<NodeState>> Nodes() override {
    return way_([&] { return inner_.Nodes(); });
  }
  Result<std::vector<TaskStatus>> Adopt(Listener listener) override {
    const Listener around = way_.Around(std::move(listener));
    return way_([&] { return inner_.Adopt(around); });
  }
  Status Launch(TaskSpec spec) override {
    return way_([&] { return inner_.Launch(spec); });
  }
  Status Stop(const TaskKey& key, const StopOptions& options) override {
    return way_([&] { return inner_.Stop(key, options); });
  }
  std::vector<TaskStatus> StatusOf(std::span<const TaskKey> keys) override {
    return way_([&] { return inner_.StatusOf(keys); });
  }
  std::vector<TaskUsage> UsageOf(std::span<const TaskKey> keys) override {
    return way_([&] { return inner_.UsageOf(keys); });
  }
  void Forget(const TaskKey& key) override { inner_.Forget(key); }

  TaskLogs* logs() override { return inner_.logs() == nullptr ? nullptr : this; }
  Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) override {
    return way_([&] { return inner_.logs()->ReadLog(key, offset, limit); });
  }
  Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) override {
    return way_([&] { return inner_.logs()->LogOffsetAt(key, at); });
  }
  Result<std::unique_ptr<LogWatch>> WatchLog(const TaskKey& key,
                                             std::function<void()> grown) override {
    return inner_.logs()->WatchLog(key, std::move(grown));
  }

 private:
  std::unique_ptr<Engine> owned_;
  Engine& inner_;
  Way way_;
};

}  // namespace

std::unique_ptr<Engine> MakeFarEngine(Engine& inner, std::uint64_t seed) {
  return std::make_unique<Around<Network>>(inner, seed);
}

std::unique_ptr<Engine> MakeFarEngine(std::unique_ptr<Engine> inner, std::uint64_t seed) {
  auto far = std::make_unique<Around<Network>>(*inner, seed);
  far->Own(std::move(inner));
  return far;
}

std::unique_ptr<Engine> MakePersistentEngine(std::unique_ptr<Engine> far) {
  auto persistent = std::make_unique<Around<Persistence>>(*far);
  persistent->Own(std::move(far));
  return persistent;
}

}  // namespace yard::engine::testing
