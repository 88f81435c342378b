// A whole yard in one process, for tests: service in memory, a fake engine, a driver, one project.
//
// Restart ends the driver and the service and starts them again on what was stored. Time stands
// still unless it is moved. One thread, the test's; Settle waits for all others.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "control/runtime/driver.h"
#include "control/service.h"
#include "control/testing/fake_engine.h"
#include "store/memory_store.h"

namespace yard::control {

// Whether it worked, without what it gave.
template <class T>
Status Outcome(const Result<T>& result) {
  if (result) return {};
  return Fail(result.error());
}

// A clock that a test moves while other threads read it.
class SharedClock final : public Clock {
 public:
  explicit SharedClock(Time start) : now_(start.micros) {}
  Time Now() const override { return {now_.load()}; }
  void Advance(Micros by) { now_ += by.value; }

 private:
  std::atomic<std::int64_t> now_;
};

class YardFixture {
 public:
  struct Options {
    int nodes = 1;
    int gpus = 4;
    MilliCpu cpu{64'000};
    std::optional<std::uint64_t> far = {};  // seed: the engine is far away
    LaunchContext launch = {};
  };
  YardFixture() : YardFixture(Options{}) {}
  explicit YardFixture(const Options& options);
  ~YardFixture();

  FakeEngine& engine() { return engine_; }
  SharedClock& clock() { return clock_; }
  Service& service() { return *service_; }
  Driver& driver() { return *driver_; }
  store::MemoryStore& store() { return *store_; }
  ProjectId project() const { return project_; }
  Snapshot state() const { return service_->Read(); }

  // Waits until everything has had its effect.
  void Settle() { driver_->Settle(); }
  void Advance(Micros by);
  void StopDriver();
  void Restart();

  // A training unless told otherwise; `spec` is JSON. Returns its id.
  WorkloadId Submit(std::string name, const std::string& spec = "{}",
                    WorkloadType type = WorkloadType::kTraining);
  Status TrySubmit(Workload workload, WorkloadId* id);
  Workload Draft(std::string name, const std::string& spec, WorkloadType type) const;
  Status Do(Command command);

  Ptr<Workload> Find(WorkloadId id) const { return state()->Find<Workload>(id); }
  Phase PhaseOf(WorkloadId id) const { return Find(id)->phase(); }
  // Of waiting work the published reason, of all other the recorded one.
  std::string ReasonOf(WorkloadId id) const;
  std::string MessageOf(WorkloadId id) const;
  Ptr<Attempt> AttemptOf(WorkloadId id) const;  // the newest
  engine::TaskKey KeyOf(WorkloadId id, std::int32_t rank = 0) const;

  // Lets the tasks of a workload run or end, and waits for what follows.
  void Run(WorkloadId id);
  void End(WorkloadId id, EndCause cause = EndCause::kCompleted,
           std::optional<std::int32_t> code = 0);

 private:
  void StartService();
  void StartDriver();

  const LaunchContext launch_;
  SharedClock clock_;
  SeededRandom random_{11};
  FakeEngine engine_{clock_};
  std::unique_ptr<engine::Engine> far_;  // null: the engine is near
  std::shared_ptr<store::MemoryStore> store_ = std::make_shared<store::MemoryStore>();
  std::unique_ptr<Service> service_;
  std::unique_ptr<Driver> driver_;
  ProjectId project_;
};

}  // namespace yard::control
