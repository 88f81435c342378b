#include "control/commands/reservations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/commands/infra.h"
#include "control/commands/org.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

using ::testing::HasSubstr;

constexpr const char* kAll = R"({"command":"x","compute":{"gpuDevicesRequest":4}})";

// One node with four GPUs; the project "vision", which everything is submitted to, and "pi", for
// which GPUs are reserved.
class Reservations : public ::testing::Test {
 protected:
  Reservations() {
    EXPECT_TRUE(yard_.Do([&](Txn& txn) -> Status {
      OrgUnitDraft draft{.name = "pi", .cluster = LocalCluster(txn.state())->id};
      YARD_ASSIGN(Ptr<Project> project, CreateProject(txn, draft));
      pi_ = project->id;
      return {};
    }));
  }

  ReservationDraft Window(std::string name, Micros from, Micros to) const {
    Time now = yard_.state()->Find<Project>(pi_)->stamp.created_at;
    return {.name = std::move(name),
            .project = pi_,
            .gpu = MilliGpu(4000),
            .start = now + from,
            .end = now + to};
  }
  Status Reserve(const ReservationDraft& draft) {
    return yard_.Do([&](Txn& txn) -> Status {
      YARD_ASSIGN(Ptr<Reservation> made, CreateReservation(txn, draft));
      made_ = made->id;
      return {};
    });
  }
  WorkloadId SubmitForPi(std::string name) {
    Workload draft = yard_.Draft(std::move(name), kAll, WorkloadType::kTraining);
    draft.project = pi_;
    WorkloadId id;
    EXPECT_TRUE(yard_.TrySubmit(draft, &id));
    return id;
  }
  bool Placed(WorkloadId id) const { return yard_.AttemptOf(id) != nullptr; }

  YardFixture yard_;
  ProjectId pi_;
  ReservationId made_;
};

TEST_F(Reservations, KeepOthersOutUntilTheyEnd) {
  ASSERT_TRUE(Reserve(Window("deadline", Hours(0), Hours(2))));
  WorkloadId id = yard_.Submit("train", kAll);
  EXPECT_FALSE(Placed(id));
  Why why = *yard_.driver().Explain(id);
  EXPECT_EQ(why.reason, "Reserved");
  EXPECT_THAT(why.message, HasSubstr("4 GPU of pool default are reserved for another project"));
  EXPECT_EQ(why.reserved_for, pi_);
  EXPECT_THAT(why.reserved_message, HasSubstr("for project pi until 2026-"));
  EXPECT_EQ(why.earliest, yard_.state()->Find<Reservation>(made_)->end);
  yard_.Advance(Hours(2));
  EXPECT_TRUE(Placed(id));
}

TEST_F(Reservations, LendToPreemptibleWorkAndTakeItBack) {
  ASSERT_TRUE(Reserve(Window("deadline", Hours(1), Hours(2))));
  WorkloadId lent = yard_.Submit("train", kAll);
  yard_.Run(lent);
  WorkloadId paper = SubmitForPi("paper");
  EXPECT_FALSE(Placed(paper));
  yard_.Advance(Hours(1));
  EXPECT_TRUE(Placed(paper));
  Ptr<Attempt> stopped = yard_.AttemptOf(lent);
  EXPECT_EQ(stopped->end->cause, EndCause::kPreempted);
  EXPECT_EQ(stopped->stop->rule, "reservation");
  EXPECT_EQ(stopped->stop->by, "work of another project");
  EXPECT_TRUE(stopped->stop->for_workload.has_value());
}

TEST_F(Reservations, AreGivenBackIfNobodyUsesThemInTime) {
  ReservationDraft draft = Window("deadline", Hours(0), Hours(9));
  draft.release_after_seconds = 1800;
  ASSERT_TRUE(Reserve(draft));
  WorkloadId paper = SubmitForPi("paper");
  yard_.Run(paper);
  WorkloadId waits = yard_.Submit("train", kAll);
  yard_.Advance(Hours(3));
  yard_.End(paper);
  EXPECT_FALSE(Placed(waits)) << "it may be used again at once";
  yard_.Restart();
  yard_.Advance(Minutes(29));
  EXPECT_FALSE(Placed(waits)) << "the last use is known after a restart";
  yard_.Advance(Minutes(1));
  EXPECT_TRUE(Placed(waits));
}

TEST_F(Reservations, AreRefusedWithTheFieldThatIsWrong) {
  auto refused = [&](const ReservationDraft& draft, Code code, std::string_view what) {
    Status status = Reserve(draft);
    ASSERT_FALSE(status) << what;
    EXPECT_EQ(status.error().code, code);
    EXPECT_THAT(status.error().message, HasSubstr(what));
  };
  refused(Window("x", Hours(2), Hours(1)), Code::kInvalid, "must be after start");
  refused(Window("x", Hours(-2), Hours(-1)), Code::kInvalid, "is over already");
  refused(Window("x", Hours(1), Days(400)), Code::kInvalid, "within 366 days");
  ReservationDraft elsewhere = Window("x", Hours(1), Hours(2));
  elsewhere.pool = "moon";
  refused(elsewhere, Code::kInvalid, "no node pool 'moon'");
  elsewhere = Window("x", Hours(1), Hours(2));
  elsewhere.project = ProjectId{999};
  refused(elsewhere, Code::kInvalid, "no project 999");
  ReservationDraft large = Window("x", Hours(1), Hours(2));
  large.gpu = MilliGpu(5000);
  refused(large, Code::kConflict, "has 4 GPUs, of which 0 are reserved in that time; 5 are asked");
}

TEST_F(Reservations, ThatMeetShareThePool) {
  ReservationDraft first = Window("first", Hours(1), Hours(3));
  first.gpu = MilliGpu(3000);
  ASSERT_TRUE(Reserve(first));
  ReservationDraft second = Window("second", Hours(2), Hours(4));
  second.gpu = MilliGpu(2000);
  EXPECT_FALSE(Reserve(second));
  second.start = first.end;
  EXPECT_TRUE(Reserve(second));
  first.name = "second";
  first.gpu = MilliGpu(1000);
  EXPECT_EQ(Reserve(first).error().code, Code::kConflict) << "a name is taken once";
}

TEST_F(Reservations, GoWithTheirProject) {
  ASSERT_TRUE(Reserve(Window("deadline", Hours(1), Hours(3))));
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return DeleteProject(txn, pi_); }));
  EXPECT_TRUE(yard_.state()->Find<Reservation>(made_) == nullptr);
}

TEST_F(Reservations, CanBeMovedAndGivenUp) {
  ASSERT_TRUE(Reserve(Window("deadline", Hours(0), Hours(3))));
  WorkloadId id = yard_.Submit("train", kAll);
  EXPECT_FALSE(Placed(id));
  ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
    return Outcome(UpdateReservation(txn, made_, Window("", Hours(5), Hours(6))));
  }));
  EXPECT_TRUE(Placed(id));
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return DeleteReservation(txn, made_); }));
  EXPECT_TRUE(yard_.state()->Find<Reservation>(made_) == nullptr);
}

}  // namespace
}  // namespace yard::control
