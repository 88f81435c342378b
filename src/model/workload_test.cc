#include "model/workload.h"

#include <gtest/gtest.h>

#include "model/object.h"
#include "model/scope.h"

namespace yard {
namespace {

Workload In(Life life) {
  Workload workload;
  workload.name = "train";
  workload.life = life;
  return workload;
}

TEST(WorkloadLife, AStoppedWorkloadResumesToPending) {
  Workload workload = In(Life::kWaiting);
  ASSERT_TRUE(Suspend(workload, Time{1}));
  EXPECT_EQ(workload.phase(), Phase::kStopping);
  ASSERT_TRUE(Move(workload, {Life::kSuspended, "Suspended", "", Time{2}}));
  ASSERT_TRUE(Resume(workload, Time{3}));
  EXPECT_EQ(workload.phase(), Phase::kResuming);
  EXPECT_TRUE(Move(workload, {Life::kWaiting, "", "", Time{4}}));
}

TEST(WorkloadLife, SuspendingTwiceChangesNothing) {
  Workload workload = In(Life::kWaiting);
  ASSERT_TRUE(Suspend(workload, Time{1}));
  ASSERT_TRUE(Suspend(workload, Time{9}));
  EXPECT_EQ(workload.phase_since, Time{1});
}

TEST(WorkloadLife, CompletedWorkCannotBeSuspendedAndSaysSo) {
  Workload workload = In(Life::kCompleted);
  auto status = Suspend(workload, Time{1});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Code::kPrecondition);
  EXPECT_NE(status.error().message.find("is Completed"), std::string::npos);
}

TEST(WorkloadLife, ParkedWorkHasTasksSoCancellingIsAnOrderAndNotItsEnd) {
  Workload parked = In(Life::kParked);
  ASSERT_TRUE(Cancel(parked, "ann", Time{2}));
  EXPECT_EQ(parked.life, Life::kCancelling);
  EXPECT_FALSE(parked.completed_at);
  ASSERT_TRUE(Move(parked, {Life::kSuspended, "Suspended", "Stopped.", Time{3}}));
  EXPECT_EQ(parked.life, Life::kCancelled) << "the order outlives the end of the tasks";
  EXPECT_EQ(parked.phase_message, "Cancelled by ann.");
  EXPECT_EQ(parked.completed_at, Time{3});
}

TEST(WorkloadLife, WordsFollowTheLifeWhateverTheCallerSays) {
  Workload workload = In(Life::kLeaving);
  ASSERT_TRUE(Move(workload, {Life::kParked, "Suspended", "", Time{1}}));
  EXPECT_EQ(workload.phase(), Phase::kStopped);
  EXPECT_EQ(workload.phase_reason, "Parked");
}

TEST(WorkloadLife, WorkThatLeavesItsGpusHasRunSinceItStarted) {
  Workload workload = In(Life::kRunning);
  workload.phase_since = Time{1};
  ASSERT_TRUE(Move(workload, {Life::kLeaving, "", "", Time{2}}));
  ASSERT_TRUE(Move(workload, {Life::kRunning, "", "", Time{3}}));
  EXPECT_EQ(workload.phase_since, Time{1});
}

TEST(WorkloadLife, AnEndIsFinal) {
  for (Life end : {Life::kCompleted, Life::kFailed}) {
    for (int next = 0; next < static_cast<int>(Life::kDeleting); ++next) {
      Workload workload = In(end);
      EXPECT_FALSE(Move(workload, {static_cast<Life>(next), "", "", Time{1}})) << next;
    }
  }
}

TEST(WorkloadLife, EverythingCanBeDeletedOnce) {
  for (int i = 0; i <= static_cast<int>(Life::kDeleting); ++i) {
    Workload workload = In(static_cast<Life>(i));
    ASSERT_TRUE(MarkDeleted(workload, Time{5})) << Name(workload.phase());
    EXPECT_EQ(workload.deleted_at, Time{5});
    ASSERT_TRUE(MarkDeleted(workload, Time{9}));
    EXPECT_EQ(workload.deleted_at, Time{5});
  }
}

TEST(Scope, APathCoversWhatLiesBelowIt) {
  ScopePath tenant;
  ScopePath department{ClusterId{}, DepartmentId{4}, std::nullopt};
  ScopePath project{ClusterId{}, DepartmentId{4}, ProjectId{7}};
  EXPECT_TRUE(tenant.Covers(project));
  EXPECT_TRUE(department.Covers(project));
  EXPECT_FALSE(project.Covers(department));
  EXPECT_FALSE((ScopePath{ClusterId{}, DepartmentId{5}, std::nullopt}).Covers(project));
}

TEST(Object, KnowsItsKindIdAndName) {
  auto project = std::make_shared<Project>();
  project->id = ProjectId{7};
  project->name = "vision";
  Object object = Ptr<Project>(project);
  EXPECT_EQ(KindOf(object), "project");
  EXPECT_EQ(IdOf(object), "7");
  EXPECT_EQ(NameOf(object), "vision");
}

}  // namespace
}  // namespace yard
