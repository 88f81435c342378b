#include "engine/sim/sim_engine.h"

#include <utility>

namespace yard::engine {
namespace {

class SimLogWatch final : public LogWatch {
 public:
  SimLogWatch(std::shared_ptr<SimWorld> world, std::uint64_t number)
      : world_(std::move(world)), number_(number) {}
  ~SimLogWatch() override { world_->UnwatchLog(number_); }

 private:
  const std::shared_ptr<SimWorld> world_;
  const std::uint64_t number_;
};

// Simulated tasks have logs; there is nothing to enter.
class SimEngine final : public Engine, public TaskLogs {
 public:
  explicit SimEngine(std::shared_ptr<SimWorld> world) : world_(std::move(world)) {}
  ~SimEngine() override { world_->Listen(std::nullopt); }

  Capabilities capabilities() const override {
    Capabilities can;
    can.name = "sim";
    can.processes = true;
    can.containers = world_->pretence() == Pretence::kAnyProgram;
    if (!can.containers) can.containers_missing = "simulated machines run no containers";
    can.parking_missing = "simulated work has no memory on its GPUs";
    return can;
  }
  Result<std::vector<NodeState>> Nodes() override { return world_->nodes(); }
  Result<std::vector<TaskStatus>> Adopt(Listener listener) override {
    return world_->Listen(std::move(listener));
  }
  Status Launch(TaskSpec spec) override {
    if (spec.container && world_->pretence() == Pretence::kNone)
      return Fail(Code::kInvalid, capabilities().containers_missing);
    return world_->Launch(std::move(spec));
  }
  Status Stop(const TaskKey& key, const StopOptions& options) override {
    return world_->Stop(key, options);
  }
  std::vector<TaskStatus> StatusOf(std::span<const TaskKey> keys) override {
    std::vector<TaskStatus> all;
    for (const TaskKey& key : keys) all.push_back(world_->StatusOf(key));
    return all;
  }
  std::vector<TaskUsage> UsageOf(std::span<const TaskKey> keys) override {
    std::vector<TaskUsage> all;
    for (const TaskKey& key : keys) all.push_back(world_->UsageOf(key));
    return all;
  }
  void Forget(const TaskKey& key) override { world_->Forget(key); }
  TaskLogs* logs() override { return this; }
  Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) override {
    return world_->ReadLog(key, offset, limit);
  }
  Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) override {
    return world_->LogOffsetAt(key, at);
  }
  Result<std::unique_ptr<LogWatch>> WatchLog(const TaskKey& key,
                                             std::function<void()> grown) override {
    YARD_ASSIGN(std::uint64_t number, world_->WatchLog(key, std::move(grown)));
    return std::make_unique<SimLogWatch>(world_, number);
  }

 private:
  const std::shared_ptr<SimWorld> world_;
};

}  // namespace

std::unique_ptr<Engine> MakeSimEngine(std::shared_ptr<SimWorld> world) {
  return std::make_unique<SimEngine>(std::move(world));
}

}  // namespace yard::engine
