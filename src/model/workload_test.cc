#include "model/workload.h"

#include <gtest/gtest.h>

#include "model/object.h"
#include "model/scope.h"

namespace yard {
namespace {

Workload InPhase(Phase phase) {
  Workload workload;
  workload.name = "train";
  workload.phase = phase;
  return workload;
}

TEST(WorkloadPhases, WhatHasEndedIsNotResumed) {
  Workload workload{.name = "train"};
  workload.phase = Phase::kCompleted;
  workload.desired = DesiredPhase::kRunning;
  Status resumed = Resume(workload, Time{3});
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, Code::kPrecondition);
  EXPECT_EQ(workload.phase, Phase::kCompleted);
}

TEST(WorkloadPhases, AStoppedWorkloadResumesToPending) {
  Workload workload = InPhase(Phase::kPending);
  ASSERT_TRUE(Suspend(workload, Time{1}));
  EXPECT_EQ(workload.phase, Phase::kStopping);
  ASSERT_TRUE(Move(workload, {Phase::kStopped, "Stopped", "", Time{2}}));
  ASSERT_TRUE(Resume(workload, Time{3}));
  EXPECT_EQ(workload.phase, Phase::kResuming);
  EXPECT_TRUE(Move(workload, {Phase::kPending, "", "", Time{4}}));
}

TEST(WorkloadPhases, SuspendingTwiceChangesNothing) {
  Workload workload = InPhase(Phase::kPending);
  ASSERT_TRUE(Suspend(workload, Time{1}));
  ASSERT_TRUE(Suspend(workload, Time{9}));
  EXPECT_EQ(workload.phase_since, Time{1});
}

TEST(WorkloadPhases, CompletedWorkCannotBeSuspendedAndSaysSo) {
  Workload workload = InPhase(Phase::kCompleted);
  auto status = Suspend(workload, Time{1});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, Code::kPrecondition);
  EXPECT_NE(status.error().message.find("is Completed"), std::string::npos);
}

TEST(WorkloadPhases, ParkedWorkHasTasksSoCancellingIsAnOrderAndNotItsEnd) {
  Workload parked = InPhase(Phase::kRunning);
  ASSERT_TRUE(Move(parked, {Phase::kStopped, std::string(kParked), "", Time{1}}));
  ASSERT_TRUE(IsParked(parked));
  ASSERT_TRUE(Cancel(parked, "ann", Time{2}));
  EXPECT_EQ(parked.phase, Phase::kStopping);
  EXPECT_FALSE(parked.completed_at);
  ASSERT_TRUE(Move(parked, {Phase::kStopped, "Cancelled", "", Time{3}}));
  EXPECT_TRUE(IsCancelled(parked));
}

TEST(WorkloadPhases, AnEndIsFinal) {
  for (Phase end : {Phase::kCompleted, Phase::kFailed}) {
    for (Phase next : {Phase::kRunning, Phase::kPending, Phase::kStopped, Phase::kCompleted}) {
      Workload workload = InPhase(end);
      EXPECT_FALSE(Move(workload, {next, "", "", Time{1}})) << Name(end) << " to " << Name(next);
    }
  }
}

TEST(WorkloadPhases, EverythingCanBeDeletedOnce) {
  for (int i = 0; i <= static_cast<int>(Phase::kUnknown); ++i) {
    Workload workload = InPhase(static_cast<Phase>(i));
    ASSERT_TRUE(MarkDeleted(workload, Time{5})) << Name(workload.phase);
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
