// Random lives of many workloads: whatever happens in whatever order, the invariants hold.
#include <gtest/gtest.h>

#include <map>

#include "control/commands/workload_orders.h"
#include "control/commands/workloads.h"
#include "control/runtime/driver.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

class RandomLife : public ::testing::TestWithParam<int> {
 protected:
  RandomLife() : random_(static_cast<std::uint64_t>(GetParam())) {}

  void Step() {
    switch (random_.Below(11)) {
      case 0:
      case 1:
        return Submit();
      case 2:
        return Change([](Txn& txn, WorkloadId id, WorkloadType type) {
          return Outcome(SuspendWorkload(txn, id, type));
        });
      case 3:
        return Change([](Txn& txn, WorkloadId id, WorkloadType type) {
          return Outcome(ResumeWorkload(txn, id, type));
        });
      case 4:
        if (random_.Below(3) > 0) return;
        return Change([](Txn& txn, WorkloadId id, WorkloadType) {
          return DeleteWorkload(txn, id, std::nullopt);
        });
      case 5:
        if (random_.Below(4) == 0) yard_.Restart();
        return;
      case 6:
        yard_.Advance(Seconds(static_cast<std::int64_t>(random_.Below(40))));
        return;
      case 7:
        return Change(
            [](Txn& txn, WorkloadId id, WorkloadType) { return Outcome(ParkWorkload(txn, id)); });
      case 8:
        return TeaseParking();
      default:
        return MoveTask();
    }
  }

  void Submit() {
    auto gpus = random_.Below(4);
    bool interactive = random_.Below(3) == 0;
    bool gang = !interactive && random_.Below(3) == 0;
    std::string spec = R"({"command":"x","timeLimitSeconds":100,)";
    if (random_.Below(2) == 0) spec += R"("backoffLimit":1,)";
    if (gang) spec += R"("numWorkers":2,)";
    spec += R"("compute":{"gpuDevicesRequest":)" + std::to_string(gpus) + "}}";
    WorkloadType type = interactive ? WorkloadType::kWorkspace
                        : gang      ? WorkloadType::kDistributed
                                    : WorkloadType::kTraining;
    all_.push_back(yard_.Submit("w" + std::to_string(all_.size()), spec, type));
  }

  void Change(const std::function<Status(Txn&, WorkloadId, WorkloadType)>& change) {
    if (all_.empty()) return;
    WorkloadId id = all_[random_.Below(all_.size())];
    WorkloadType type = yard_.Find(id)->type;
    // Often refused, which is fine.
    Status ignored = yard_.Do([&](Txn& txn) { return change(txn, id, type); });
  }

  // The engine refuses to move memory now and then.
  void TeaseParking() {
    std::optional<Error> refusal;
    if (random_.Below(3) == 0) refusal = Error{Code::kUnavailable, "not now"};
    if (random_.Below(6) == 0) refusal = Error{Code::kConflict, "others have its GPUs"};
    random_.Below(2) == 0 ? yard_.engine().RefuseParks(refusal)
                          : yard_.engine().RefuseUnparks(refusal);
  }

  void MoveTask() {
    std::vector<engine::TaskKey> live = yard_.engine().Live();
    if (live.empty()) return;
    engine::TaskKey key = live[random_.Below(live.size())];
    if (random_.Below(2) == 0) {
      yard_.engine().Run(key);
    } else if (random_.Below(2) == 0) {
      yard_.engine().End(key, EndCause::kCompleted, 0);
    } else {
      yard_.engine().End(key, EndCause::kExit, 1);
    }
    yard_.Settle();
  }

  void CheckDevices(const State& state) {
    std::map<std::string, std::int64_t> taken;
    std::size_t open = 0;
    state.Of<Attempt>().Each([&](const Attempt& attempt) {
      if (attempt.end) return;
      ++open;
      if (!HoldsGpus(attempt)) return;
      for (const TaskPlace& place : attempt.places) {
        for (const std::string& gpu : place.gpus) taken[gpu] += place.each.value;
      }
    });
    for (const auto& [gpu, amount] : taken) EXPECT_LE(amount, 1000) << gpu;
    std::size_t holding = 0;
    state.Of<Workload>().Each(
        [&](const Workload& workload) { holding += state.OpenAttempt(workload) ? 1 : 0; });
    EXPECT_EQ(holding, open);
  }

  void CheckLives(const State& state) {
    for (WorkloadId id : all_) {
      Ptr<Workload> workload = state.Find<Workload>(id);
      std::vector<Ptr<Attempt>> attempts = state.AttemptsOf(id);
      EXPECT_EQ(attempts.size(), static_cast<std::size_t>(workload->attempts));
      for (std::size_t i = 0; i + 1 < attempts.size(); ++i) EXPECT_TRUE(attempts[i]->end);
      Ptr<Attempt> newest = state.OpenAttempt(*workload);
      bool open = newest != nullptr;
      bool away = open && !HoldsGpus(*newest);
      bool active = workload->phase() == Phase::kInitializing ||
                    workload->phase() == Phase::kRunning || workload->phase() == Phase::kStopping;
      if (away) {
        EXPECT_TRUE(workload->life == Life::kParked || WaitsForItsGpus(state, *workload) ||
                    newest->stop);
      } else if (workload->phase() != Phase::kDeleting) {
        EXPECT_EQ(open, active) << Name(workload->phase());
      }
      for (const Ptr<Attempt>& attempt : attempts) {
        if (!attempt->end) continue;
        auto [at, is_new] = ends_.try_emplace(attempt->id, attempt->end->at);
        EXPECT_EQ(at->second, attempt->end->at) << "an attempt ended twice";
      }
      if (IsFinal(workload->life)) {
        auto [at, is_new] = final_.try_emplace(id, workload->phase());
        EXPECT_EQ(at->second, workload->phase());
      } else if (workload->phase() != Phase::kDeleting) {
        EXPECT_FALSE(final_.contains(id)) << "what was final moved";
      }
    }
  }

  void CheckMachines(const State& state) {
    for (const engine::TaskKey& key : yard_.engine().Live()) {
      Ptr<Attempt> attempt = state.Find<Attempt>(key.attempt);
      ASSERT_NE(attempt, nullptr);
      EXPECT_FALSE(attempt->end) << "an ended attempt still runs";
      EXPECT_EQ(yard_.engine().Find(key)->parked, !HoldsGpus(*attempt));
    }
  }

  YardFixture yard_{{.nodes = 2, .gpus = 3}};
  SeededRandom random_;
  std::vector<WorkloadId> all_;
  std::map<AttemptId, Time> ends_;
  std::map<WorkloadId, Phase> final_;
};

TEST_P(RandomLife, KeepsTheInvariants) {
  for (int step = 0; step < 150; ++step) {
    Step();
    Snapshot state = yard_.state();
    CheckDevices(*state);
    CheckLives(*state);
    CheckMachines(*state);
    if (HasFailure()) FAIL() << "at step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLife, ::testing::Range(1, 13));

}  // namespace
}  // namespace yard::control
