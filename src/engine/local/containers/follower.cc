#include "engine/local/containers/follower.h"

#include <utility>

#include "engine/local/containers/layout.h"
#include "engine/local/native/session.h"
#include "engine/local/shims.h"

namespace yard::engine::containers {
namespace {

class Follower final : public Runner {
 public:
  Follower(EventLoop& loop, std::string missing)
      : missing_(std::move(missing)),
        shims_(loop, "", [this](const ShimmedTaskPointer& task) { TellEnd(task->view()); }) {}

  void Begin(RunnerEvents events, Slices&) override { events_ = std::move(events); }
  Result<std::string> Plan(const RunningTask&) override { return Refuse(); }
  Status Launch(const RunningTask&) override { return Refuse(); }
  void Adopt(const RunningTask& task) override {
    if (!shims_.Follow(task)) TellEnd(task);
  }
  Status Stop(const RunningTask& task, const StopOptions& options) override {
    return shims_.Stop(task.spec.key, options);
  }
  TaskUsage UsageOf(const RunningTask& task) override {
    TaskUsage nothing;
    nothing.key = task.spec.key;
    return nothing;
  }
  void Forget(const RunningTask& task) override { UnmountNetworkFolders(task.spec, task.folder); }
  Result<std::unique_ptr<Session>> Exec(const RunningTask&, const ExecSpec&) override {
    return Refuse();
  }
  Result<std::unique_ptr<Session>> Attach(const RunningTask& task) override {
    return AttachTerminal(task.folder);
  }
  Result<UniqueFd> ConnectPort(const RunningTask&, std::uint16_t) override { return Refuse(); }
  Result<std::unique_ptr<Session>> ReadFiles(const RunningTask&, const std::string&) override {
    return Refuse();
  }
  Result<std::unique_ptr<Session>> WriteFiles(const RunningTask&, const std::string&) override {
    return Refuse();
  }

 private:
  std::unexpected<Error> Refuse() const { return Fail(Code::kUnavailable, missing_); }

  void TellEnd(const RunningTask& task) {
    const TaskRecord record = task.folder.ReadRecord();
    if (!record.end) return;
    if (record.started_at) events_.started(task.spec.key, *record.started_at);
    events_.ended(task.spec.key, *record.end);
  }

  const std::string missing_;
  RunnerEvents events_;
  Shims shims_;  // last: its words use the rest
};

}  // namespace

std::unique_ptr<Runner> MakeFollower(EventLoop& loop, std::string missing) {
  return std::make_unique<Follower>(loop, std::move(missing));
}

}  // namespace yard::engine::containers
