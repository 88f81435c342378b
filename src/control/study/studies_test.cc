#include "control/study/studies.h"

#include <future>

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/json.h"
#include "control/testing/memory_records.h"
#include "control/testing/memory_tracking.h"
#include "control/testing/yard_fixture.h"
#include "control/track/run_links.h"
#include "wire/study.h"

namespace yard::control {
namespace {

// The fake engine's tasks all write "log of rank 0".
constexpr std::string_view kSpec = R"({
  "objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}],
  "pattern":"log of rank {loss}","maxTrials":5,"concurrency":2,
  "workload":{"command":"train ${x}","image":"lab/train"}})";

class StudiesTest : public testing::Test {
 protected:
  StudiesTest() {
    yard_.engine().Behave(FakeEngine::OnLaunch::kComplete, FakeEngine::OnStop::kEnd);
    Open();
  }

  void Open() {
    studies_ = *Studies::Open({.records = std::make_unique<MemoryRecords>(disk_),
                               .service = yard_.service(),
                               .live = &yard_.driver()});
  }
  void Restart() {
    studies_.reset();
    yard_.Restart();
    Open();
  }

  Study StudyNamed(std::string name, std::string owner = "admin@lab.org") {
    Study study;
    study.id = StudyId{MakeUuid(yard_.clock().Now(), yard_.service().random())};
    study.project = yard_.project();
    study.name = std::move(name);
    study.document.json = kSpec;
    study.spec = *wire::ReadStudySpec(ParseJson(kSpec)->as_object());
    study.budget = study.spec.budget;
    study.owner = std::move(owner);
    study.stamp.created_at = yard_.clock().Now();
    return study;
  }
  Status Create(Study study) {
    std::promise<Status> answer;
    studies_->Create(std::move(study), [&](Status status) { answer.set_value(std::move(status)); });
    return answer.get_future().get();
  }
  Status Change(StudyId id, StudyOrder order) {
    std::promise<Status> answer;
    studies_->Change(id, std::move(order),
                     [&](Status status) { answer.set_value(std::move(status)); });
    return answer.get_future().get();
  }
  void Round(StudyId id) {
    YARD_CHECK(Change(id, [](StudyEngine&, Time) -> Status { return {}; }).has_value());
    yard_.Settle();
  }
  // Lets rounds pass until so many trials run, and ends them.
  void EndWhatRuns(StudyId id, std::size_t count) {
    for (int i = 0; i < 10'000 && yard_.engine().Live().size() < count; ++i) Round(id);
    EXPECT_EQ(yard_.engine().Live().size(), count);
    for (const engine::TaskKey& key : yard_.engine().Live())
      yard_.engine().End(key, EndCause::kCompleted, 0);
  }
  // Lets rounds pass until the study is in another state than Running.
  StudyState StateOf(StudyId id) {
    for (int i = 0; i < 10'000; ++i) {
      Round(id);
      if (studies_->Find(id)->study.state != StudyState::kRunning) break;
    }
    return studies_->Find(id)->study.state;
  }

  YardFixture yard_;
  std::shared_ptr<MemoryRecords::Disk> disk_ = std::make_shared<MemoryRecords::Disk>();
  std::unique_ptr<Studies> studies_;
};

TEST_F(StudiesTest, TrialsAreWorkloadsOfTheProject) {
  Study study = StudyNamed("search");
  ASSERT_TRUE(Create(study));
  EXPECT_EQ(StateOf(study.id), StudyState::kCompleted);
  SharedStudy view = studies_->Find(study.id);
  ASSERT_EQ(view->trials.size(), 5U);
  EXPECT_EQ(yard_.engine().launches(), 5U);
  for (const auto& trial : view->trials) {
    EXPECT_EQ(trial->phase, TrialPhase::kComplete) << trial->message;
    EXPECT_EQ(trial->results, std::vector<double>{0});
    Ptr<Workload> workload = yard_.Find(*trial->workload);
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->name, "search-" + std::to_string(trial->number));
    EXPECT_EQ(workload->stamp.created_by, "admin@lab.org");
  }
}

TEST_F(StudiesTest, ASecondStudyOfTheNameIsRefused) {
  ASSERT_TRUE(Create(StudyNamed("search")));
  Status again = Create(StudyNamed("search"));
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, Code::kConflict);
}

TEST_F(StudiesTest, GoesOnAfterARestartWithoutRunningATrialTwice) {
  yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kEnd);
  Study study = StudyNamed("search");
  ASSERT_TRUE(Create(study));
  yard_.Settle();
  Restart();
  yard_.Settle();
  ASSERT_TRUE(Change(study.id, [](StudyEngine&, Time) -> Status { return {}; }));
  ASSERT_EQ(studies_->Find(study.id)->trials.size(), 2U);
  yard_.engine().Behave(FakeEngine::OnLaunch::kComplete, FakeEngine::OnStop::kEnd);
  EndWhatRuns(study.id, 2);
  EXPECT_EQ(StateOf(study.id), StudyState::kCompleted);
  EXPECT_EQ(yard_.engine().launches(), 5U);
}

// A look takes 10,000 points; the end of a trial does not come before the last of them.
TEST_F(StudiesTest, AllThatATrialHasLoggedCountsAtItsEnd) {
  yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kEnd);
  MemoryTracking tracking(yard_.clock(), yard_.service().random());
  studies_ = *Studies::Open({.records = std::make_unique<MemoryRecords>(disk_),
                             .service = yard_.service(),
                             .live = &yard_.driver(),
                             .tracking = tracking.get()});
  Study study = StudyNamed("search");
  study.spec.pattern.clear();
  study.budget.trials = 1;
  ASSERT_TRUE(Create(study));
  yard_.Settle();
  ASSERT_TRUE(Change(study.id, [](StudyEngine&, Time) -> Status { return {}; }));
  yard_.Settle();
  const std::string workload = FormatUuid(studies_->Find(study.id)->trials[0]->workload->value);
  std::promise<Status> written;
  (*tracking).Write(
      [&](TrackTxn& txn) -> Status {
        txn.Put(Experiment{.id = "1", .project = study.project, .name = "e"});
        txn.Put(TrackedRun{.id = "run",
                           .experiment = "1",
                           .project = study.project,
                           .tags = {{std::string(kWorkloadTag), workload}}});
        return {};
      },
      [&](Status status) { written.set_value(std::move(status)); });
  ASSERT_TRUE(written.get_future().get());
  store::SeriesPoints points{.name = "loss", .points = {}};
  for (std::int64_t step = 0; step < 25'000; ++step)
    points.points.push_back({.step = step, .value = step == 24'999 ? 0.125 : 9});
  std::promise<Status> appended;
  (*tracking).Append(*(*tracking).catalog().FindRun("run"), "run", {points},
                     [&](Status status) { appended.set_value(std::move(status)); });
  ASSERT_TRUE(appended.get_future().get());
  EndWhatRuns(study.id, 1);
  EXPECT_EQ(StateOf(study.id), StudyState::kCompleted);
  EXPECT_EQ(studies_->Find(study.id)->trials[0]->results, std::vector<double>{0.125});
  studies_.reset();
}

TEST_F(StudiesTest, WhatTheDiskRefusesLeavesNothing) {
  disk_->full = true;
  Study study = StudyNamed("search");
  Status refused = Create(study);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_EQ(studies_->Find(study.id), nullptr);
  EXPECT_EQ(yard_.engine().launches(), 0U);
  disk_->full = false;
  ASSERT_TRUE(Create(study));
  EXPECT_EQ(StateOf(study.id), StudyState::kCompleted);
}

TEST_F(StudiesTest, AnOwnerWithoutRightsCannotSubmit) {
  Study study = StudyNamed("search", "nobody@lab.org");
  ASSERT_TRUE(Create(study));
  EXPECT_EQ(StateOf(study.id), StudyState::kPaused);
  SharedStudy view = studies_->Find(study.id);
  EXPECT_NE(view->study.message.find("could not be submitted"), std::string::npos);
  EXPECT_EQ(yard_.engine().launches(), 0U);
}

TEST_F(StudiesTest, AStudyWithRunningTrialsIsStoppedBeforeItIsDeleted) {
  yard_.engine().Behave(FakeEngine::OnLaunch::kRun, FakeEngine::OnStop::kEnd);
  Study study = StudyNamed("search");
  ASSERT_TRUE(Create(study));
  yard_.Settle();
  auto remove = [&] {
    std::promise<Status> answer;
    studies_->Remove(study.id, [&](Status status) { answer.set_value(std::move(status)); });
    return answer.get_future().get();
  };
  EXPECT_FALSE(remove());
  ASSERT_TRUE(Change(study.id, [](StudyEngine& e, Time now) { return e.Stop("ann", now); }));
  bool removed = false;
  for (int i = 0; i < 10'000 && !removed; ++i) {
    yard_.Settle();
    removed = remove().has_value();
  }
  EXPECT_TRUE(removed);
  EXPECT_EQ(studies_->Find(study.id), nullptr);
  EXPECT_TRUE(disk_->rows.empty());
}

}  // namespace
}  // namespace yard::control
