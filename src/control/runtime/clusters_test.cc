// Several clusters behind one server: each with an engine of its own, one state for all.
#include "control/runtime/clusters.h"

#include <array>
#include <map>

#include <gtest/gtest.h>

#include "base/check.h"
#include "control/commands/bootstrap.h"
#include "control/commands/infra.h"
#include "control/commands/org.h"
#include "control/commands/workloads.h"
#include "control/testing/yard_fixture.h"
#include "store/memory_store.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

constexpr Time kStart{1'790'000'000'000'000};
const Error kNoAnswer{Code::kUnavailable, "the login node does not answer"};
constexpr const char* kOneGpu = R"({"command":"x","compute":{"gpuDevicesRequest":1}})";
constexpr const char* kTwoGpus = R"({"command":"x","compute":{"gpuDevicesRequest":2}})";

// The server's own cluster "near", and "far" and "third", each with a machine "node0" of two GPUs.
class SeveralClusters : public ::testing::Test {
 protected:
  SeveralClusters() {
    auto store = std::make_unique<store::MemoryStore>();
    store_ = store.get();
    auto service = Service::Start(std::move(store), clock_, random_);
    YARD_CHECK(service.has_value());
    service_ = *std::move(service);
    YARD_CHECK(Bootstrap(*service_, {.admin_email = "admin@lab.org"}).has_value());
    ids_[0] = LocalCluster(*service_->Read())->id;
    ids_[1] = Made("far");
    ids_[2] = Made("third");
    for (FakeEngine& engine : engines_) engine.AddNode("node0", 2);
    Start();
    project_ = MakeProject("vision", {near()});
  }
  ~SeveralClusters() override {
    clusters_.reset();
    service_.reset();
  }

  ClusterId near() const { return ids_[0]; }
  ClusterId far() const { return ids_[1]; }
  ClusterId third() const { return ids_[2]; }
  FakeEngine& EngineOf(ClusterId id) {
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (ids_[i] == id) return engines_[i];
    CheckFailed("no such cluster", __FILE__, __LINE__);
  }

  void Start() {
    clusters_ = std::make_unique<Clusters>(*service_);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      DriverOptions options{.cluster = ids_[i], .hands = 2};
      YARD_CHECK(clusters_->Add(engines_[i], std::move(options)).has_value());
    }
    Settle();
  }
  void Restart() {
    clusters_.reset();
    Start();
  }
  // What one cluster passes on reaches the next; a chain has as many links as there are clusters.
  // One that was never in contact asks again when it is woken, and only then takes its news.
  void Settle() {
    for (std::size_t round = 0; round <= 2 * ids_.size(); ++round) {
      for (ClusterId id : ids_) {
        clusters_->at(id).Wake();
        clusters_->at(id).Settle();
      }
    }
  }
  void Advance(Micros by) {
    clock_.Advance(by);
    Settle();
  }

  Status Do(Command command) {
    Status done = service_->WriteAndWait(SystemPrincipal(), std::move(command));
    if (clusters_) Settle();
    return done;
  }
  ClusterId Made(const std::string& name) {
    ClusterId id;
    YARD_CHECK(Do([&](Txn& txn) -> Status {
                 YARD_ASSIGN(Ptr<Cluster> made, CreateCluster(txn, {.name = name}));
                 Cluster cluster = *made;
                 cluster.stamp.created_by = "configuration";
                 txn.Put(cluster);
                 id = made->id;
                 return {};
               }).has_value());
    return id;
  }
  Status TryProject(const std::string& name, const std::vector<ClusterId>& clusters,
                    ProjectId* id) {
    return Do([&](Txn& txn) -> Status {
      OrgUnitDraft draft{.name = name, .cluster = clusters.front(), .clusters = clusters};
      YARD_ASSIGN(Ptr<Project> made, CreateProject(txn, draft));
      *id = made->id;
      return {};
    });
  }
  ProjectId MakeProject(const std::string& name, const std::vector<ClusterId>& clusters) {
    ProjectId id;
    Status made = TryProject(name, clusters, &id);
    if (!made) CheckFailed(made.error().message.c_str(), __FILE__, __LINE__);
    return id;
  }

  WorkloadId Submit(ProjectId project, ClusterId cluster, const std::string& name,
                    const std::string& spec = kOneGpu) {
    Workload workload;
    workload.type = WorkloadType::kTraining;
    workload.name = name;
    workload.project = project;
    workload.cluster = cluster;
    YARD_CHECK(wire::TakeSpecText(workload, spec).has_value());
    WorkloadId id;
    Status made = Do([&](Txn& txn) -> Status {
      YARD_ASSIGN(Ptr<Workload> one, CreateWorkload(txn, {.workload = workload}));
      id = one->id;
      return {};
    });
    if (!made) CheckFailed(made.error().message.c_str(), __FILE__, __LINE__);
    return id;
  }

  Ptr<Workload> Find(WorkloadId id) const { return service_->Read()->Find<Workload>(id); }
  Phase PhaseOf(WorkloadId id) const { return Find(id)->phase(); }
  engine::TaskKey KeyOf(WorkloadId id) const { return {*Find(id)->attempt, 0}; }
  void Run(WorkloadId id) {
    EngineOf(Find(id)->host()).Run(KeyOf(id));
    Settle();
  }
  void End(WorkloadId id, std::int32_t code = 0) {
    EngineOf(Find(id)->host())
        .End(KeyOf(id), code == 0 ? EndCause::kCompleted : EndCause::kExit, code);
    Settle();
  }
  std::string ReasonOf(WorkloadId id) const {
    const SharedBoard board = clusters_->Waiting();
    const WaitNote* note = board->Find(*Find(id));
    return note != nullptr ? note->reason : Find(id)->phase_reason;
  }
  std::size_t launches() const {
    std::size_t sum = 0;
    for (const FakeEngine& engine : engines_) sum += engine.launches();
    return sum;
  }

  SharedClock clock_{kStart};
  SeededRandom random_{11};
  std::array<FakeEngine, 3> engines_ = {FakeEngine(clock_), FakeEngine(clock_), FakeEngine(clock_)};
  store::MemoryStore* store_ = nullptr;  // the service's
  std::unique_ptr<Service> service_;
  std::array<ClusterId, 3> ids_;
  std::unique_ptr<Clusters> clusters_;
  ProjectId project_;
};

TEST_F(SeveralClusters, WorkRunsInTheClusterOfItsProject) {
  const ProjectId other = MakeProject("nlp", {far()});
  const WorkloadId here = Submit(project_, near(), "here");
  const WorkloadId there = Submit(other, far(), "there");
  Run(here);
  Run(there);
  EXPECT_EQ(engines_[0].launches(), 1U);
  EXPECT_EQ(engines_[1].launches(), 1U);
  EXPECT_EQ(engines_[2].launches(), 0U);
  End(there, 3);
  EXPECT_EQ(PhaseOf(there), Phase::kFailed);
  EXPECT_EQ(PhaseOf(here), Phase::kRunning);
}

TEST_F(SeveralClusters, MachinesOfTheSameNameAreTwoMachines) {
  const ProjectId other = MakeProject("nlp", {far()});
  const WorkloadId here = Submit(project_, near(), "here", kTwoGpus);
  const WorkloadId there = Submit(other, far(), "there", kTwoGpus);
  EXPECT_EQ(PhaseOf(here), Phase::kInitializing);
  EXPECT_EQ(PhaseOf(there), Phase::kInitializing);
  std::map<ClusterId, std::int64_t> held;
  Snapshot state = service_->Read();
  state->Of<Node>().Each([&](const Node& node) {
    EXPECT_EQ(node.name, "node0");
    held[node.cluster] = state->holdings().On(node).gpu.value;
  });
  EXPECT_EQ(held[near()], 2000);
  EXPECT_EQ(held[far()], 2000);
  EXPECT_EQ(held[third()], 0);
  Result<std::vector<LiveNode>> nodes = clusters_->Nodes();
  ASSERT_TRUE(nodes.has_value());
  EXPECT_EQ(nodes->size(), 3U);
}

TEST_F(SeveralClusters, AnEngineSaysNothingAboutTheWorkOfOthers) {
  const WorkloadId here = Submit(project_, near(), "here");
  Run(here);
  const std::int64_t before = store_->last_sequence();
  engines_[1].Say({KeyOf(here), "OutOfMemory", "it is not mine"});
  Settle();
  EXPECT_EQ(store_->last_sequence(), before);
  EXPECT_EQ(PhaseOf(here), Phase::kRunning);
}

TEST_F(SeveralClusters, AClusterOutOfContactHoldsUpNobodyElse) {
  const ProjectId other = MakeProject("nlp", {far()});
  const WorkloadId here = Submit(project_, near(), "here");
  const WorkloadId there = Submit(other, far(), "there");
  Run(here);
  Run(there);
  engines_[1].LoseContact(kNoAnswer);
  Settle();
  EXPECT_EQ(ReasonOf(there), "OutOfContact");
  EXPECT_NE(ReasonOf(here), "OutOfContact");
  const WorkloadId next = Submit(project_, near(), "next");
  Run(next);
  End(next);
  End(here);
  EXPECT_EQ(PhaseOf(next), Phase::kCompleted);
  EXPECT_EQ(PhaseOf(here), Phase::kCompleted);
  for (int i = 0; i < 3; ++i) Advance(Minutes(60));
  EXPECT_EQ(PhaseOf(there), Phase::kRunning);
  engines_[1].LoseContact(std::nullopt);
  Settle();
  EXPECT_NE(ReasonOf(there), "OutOfContact");
  End(there);
  EXPECT_EQ(PhaseOf(there), Phase::kCompleted);
  EXPECT_EQ(launches(), 3U);
}

TEST_F(SeveralClusters, AServerStartsWithoutOneOfItsClusters) {
  const ProjectId other = MakeProject("nlp", {far()});
  const WorkloadId there = Submit(other, far(), "there");
  Run(there);
  engines_[1].LoseContact(kNoAnswer);
  Restart();
  EXPECT_EQ(ReasonOf(there), "OutOfContact");
  const WorkloadId here = Submit(project_, near(), "here");
  Run(here);
  EXPECT_EQ(PhaseOf(here), Phase::kRunning);
  engines_[1].LoseContact(std::nullopt);
  Settle();
  EXPECT_EQ(PhaseOf(there), Phase::kRunning);
  End(there);
  EXPECT_EQ(PhaseOf(there), Phase::kCompleted);
  EXPECT_EQ(engines_[1].launches(), 1U);
}

TEST_F(SeveralClusters, TheSecondClusterOfAProjectTakesWhatTheFirstHasNoPlaceFor) {
  const ProjectId both = MakeProject("both", {near(), far()});
  const WorkloadId first = Submit(both, near(), "first", kTwoGpus);
  const WorkloadId second = Submit(both, near(), "second", kTwoGpus);
  EXPECT_EQ(Find(first)->host(), near());
  EXPECT_EQ(Find(second)->host(), far());
  EXPECT_EQ(Find(second)->cluster, near());
  EXPECT_EQ(PhaseOf(second), Phase::kInitializing);
  const WorkloadId last = Submit(both, near(), "last", kTwoGpus);
  EXPECT_EQ(PhaseOf(last), Phase::kPending);
  EXPECT_EQ(engines_[2].launches(), 0U);
  Run(first);
  End(first);
  EXPECT_EQ(Find(last)->host(), near());
  EXPECT_EQ(PhaseOf(last), Phase::kInitializing);
  EXPECT_EQ(launches(), 3U);
}

TEST_F(SeveralClusters, ClustersAreAskedInTheOrderOfTheProject) {
  const ProjectId all = MakeProject("all", {near(), third(), far()});
  const WorkloadId one = Submit(all, near(), "one", kTwoGpus);
  const WorkloadId two = Submit(all, near(), "two", kTwoGpus);
  const WorkloadId three = Submit(all, near(), "three", kTwoGpus);
  EXPECT_EQ(Find(one)->host(), near());
  EXPECT_EQ(Find(two)->host(), third());
  EXPECT_EQ(Find(three)->host(), far());
}

TEST_F(SeveralClusters, WaitingWorkOfALostClusterGoesToTheNext) {
  const ProjectId both = MakeProject("both", {near(), far()});
  engines_[0].LoseContact(kNoAnswer);
  Settle();
  const WorkloadId id = Submit(both, near(), "moves");
  EXPECT_EQ(Find(id)->host(), far());
  EXPECT_EQ(PhaseOf(id), Phase::kInitializing);
  engines_[0].LoseContact(std::nullopt);
  Settle();
  EXPECT_EQ(launches(), 1U);
}

TEST_F(SeveralClusters, WorkThatRanStaysWhereItsFilesAre) {
  const ProjectId both = MakeProject("both", {near(), far()});
  const WorkloadId first = Submit(both, near(), "first", kTwoGpus);
  const WorkloadId second =
      Submit(both, near(), "second",
             R"({"command":"x","backoffLimit":3,"compute":{"gpuDevicesRequest":2}})");
  ASSERT_EQ(Find(second)->host(), far());
  Run(first);
  End(first);
  Run(second);
  End(second, 1);
  Advance(Minutes(10));
  EXPECT_EQ(Find(second)->host(), far());
  EXPECT_EQ(Find(second)->attempts, 2);
  EXPECT_EQ(engines_[1].launches(), 2U);
}

TEST_F(SeveralClusters, ASubmissionMayNameTheCluster) {
  const ProjectId both = MakeProject("both", {near(), far()});
  const WorkloadId id = Submit(both, far(), "there");
  EXPECT_EQ(Find(id)->host(), far());
  EXPECT_EQ(Find(id)->cluster, near());
  EXPECT_EQ(engines_[1].launches(), 1U);
}

TEST_F(SeveralClusters, APlaceInTwoClustersAtOnceIsOneStart) {
  const ProjectId both = MakeProject("both", {near(), far()});
  const WorkloadId a = Submit(both, near(), "a", kTwoGpus);
  const WorkloadId b = Submit(both, near(), "b", kTwoGpus);
  Run(a);
  Run(b);
  const WorkloadId waits = Submit(both, near(), "waits", kTwoGpus);
  ASSERT_EQ(PhaseOf(waits), Phase::kPending);
  engines_[0].End(KeyOf(a), EndCause::kCompleted, 0);
  engines_[1].End(KeyOf(b), EndCause::kCompleted, 0);
  Settle();
  EXPECT_EQ(PhaseOf(waits), Phase::kInitializing);
  EXPECT_EQ(Find(waits)->attempts, 1);
  EXPECT_EQ(launches(), 3U);
}

TEST_F(SeveralClusters, ARestartFindsTheWorkOfAllAndLaunchesNothingTwice) {
  const ProjectId both = MakeProject("both", {near(), far()});
  const WorkloadId a = Submit(both, near(), "a", kTwoGpus);
  const WorkloadId b = Submit(both, near(), "b", kTwoGpus);
  Run(a);
  Run(b);
  Restart();
  EXPECT_EQ(PhaseOf(a), Phase::kRunning);
  EXPECT_EQ(PhaseOf(b), Phase::kRunning);
  EXPECT_EQ(launches(), 2U);
  End(b);
  EXPECT_EQ(PhaseOf(b), Phase::kCompleted);
}

TEST_F(SeveralClusters, AProjectNamesClustersThatAreThereAndItsOwnFirst) {
  ProjectId id;
  EXPECT_EQ(TryProject("twice", {near(), far(), far()}, &id).error().code, Code::kInvalid);
  EXPECT_EQ(TryProject("none", {near(), ClusterId{}}, &id).error().code, Code::kInvalid);
  const ProjectId both = MakeProject("both", {near(), far()});
  Status moved = Do([&](Txn& txn) -> Status {
    YARD_TRY(Outcome(UpdateProject(txn, both, {.clusters = {{far(), near()}}})));
    return {};
  });
  EXPECT_EQ(moved.error().code, Code::kInvalid);
}

TEST_F(SeveralClusters, AClusterIsNotTakenFromAProjectWhoseWorkIsThere) {
  const ProjectId both = MakeProject("both", {near(), far()});
  const WorkloadId id = Submit(both, far(), "there");
  auto narrow = [&] {
    return Do([&](Txn& txn) -> Status {
      YARD_TRY(Outcome(UpdateProject(txn, both, {.clusters = {{near()}}})));
      return {};
    });
  };
  Status refused = narrow();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kConflict);
  Run(id);
  End(id);
  EXPECT_TRUE(narrow().has_value());
}

TEST_F(SeveralClusters, AQuotaInAnotherClusterGoesWithItsPool) {
  const ProjectId both = MakeProject("both", {near(), far()});
  NodePoolId pool;
  Status made = Do([&](Txn& txn) -> Status {
    NodePoolDraft draft{
        .name = "fast", .cluster = far(), .label_key = "kind", .label_value = "fast"};
    YARD_ASSIGN(Ptr<NodePool> one, CreateNodePool(txn, draft));
    pool = one->id;
    YARD_TRY(Outcome(SetProjectQuota(txn, both, {{.pool = pool}}, QuotaEdit::kMerge)));
    return {};
  });
  ASSERT_TRUE(made.has_value()) << made.error().message;
  auto quotas = [&] { return service_->Read()->Find<Project>(both)->resources.size(); };
  EXPECT_EQ(quotas(), 1U);
  ASSERT_TRUE(Do([&](Txn& txn) { return DeleteNodePool(txn, pool); }).has_value());
  EXPECT_EQ(quotas(), 0U);
}

}  // namespace
}  // namespace yard::control
