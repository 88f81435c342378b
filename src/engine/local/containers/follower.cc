#include "engine/local/containers/follower.h"

#include <utility>

#include "base/log.h"
#include "engine/local/containers/layout.h"
#include "engine/local/containers/processes.h"
#include "engine/local/gpu/slices.h"
#include "engine/local/native/session.h"
#include "engine/local/native/usage.h"
#include "engine/local/tasks/shims.h"

namespace yard::engine::containers {
namespace {

class Follower final : public Runner {
 public:
  Follower(EventLoop& loop, std::string missing)
      : missing_(std::move(missing)),
        shims_(loop, "", [this](const ShimmedTaskPointer& task) { TellEnd(task->view()); }) {}

  void Begin(RunnerEvents events, Slices& slices) override {
    events_ = std::move(events);
    slices_ = &slices;
  }
  Result<std::string> Plan(const RunningTask&) override { return Refuse(); }
  Status Launch(const RunningTask&) override { return Refuse(); }
  void Adopt(const RunningTask& task) override {
    if (!shims_.Follow(task, [&](int shim) { AdoptSlice(task, shim); })) return TellEnd(task);
    TellStarted(events_, task);
  }
  Status Stop(const RunningTask& task, const StopOptions& options) override {
    return shims_.Stop(task, options);
  }
  TaskUsage UsageOf(const RunningTask& task) override {
    return ReadUse({}, task.spec.key, ProcessesOf(task));
  }
  std::vector<int> ProcessesOf(const RunningTask& task) override {
    return ProcessesBeside(task.folder.ReadRecord());
  }
  void Forget(const RunningTask& task) override { UnmountShared(task.spec, task.folder); }
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

  void AdoptSlice(const RunningTask& task, int shim) {
    if (Status adopted = slices_->Adopt(task.spec, shim); !adopted)
      log::Warning("a GPU slice was not found again", {{"why", adopted.error().message}});
  }
  void TellEnd(const RunningTask& task) {
    const TaskRecord record = task.folder.ReadRecord();
    if (!record.end) return;
    slices_->Remove(task.spec);
    if (record.started_at) events_.started(task.spec.key, *record.started_at);
    events_.ended(task.spec.key, *record.end);
  }

  const std::string missing_;
  RunnerEvents events_;
  Slices* slices_ = nullptr;  // set by Begin
  Shims shims_;               // last: its words use the rest
};

}  // namespace

std::unique_ptr<Runner> MakeFollower(EventLoop& loop, std::string missing) {
  return std::make_unique<Follower>(loop, std::move(missing));
}

}  // namespace yard::engine::containers
