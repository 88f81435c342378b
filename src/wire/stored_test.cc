#include "wire/stored.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wire/spec.h"

namespace yard::wire {
namespace {

template <class T>
T RoundTrip(const T& value) {
  Object object = std::make_shared<const T>(value);
  auto back = DecodeStored(KindOf(object), EncodeStored(object));
  EXPECT_TRUE(back.has_value()) << (back ? "" : back.error().message);
  EXPECT_EQ(EncodeStored(*back), EncodeStored(object));
  return *std::get<Ptr<T>>(*back);
}

TEST(Stored, AProjectComesBackWithItsQuota) {
  Project project;
  project.id = ProjectId{7};
  project.name = "vision \"x\"";
  project.department = DepartmentId{4};
  PoolQuota quota;
  quota.gpu.deserved = MilliGpu{2500};
  quota.cpu.limit = MilliCpu{100};
  project.resources.push_back(quota);
  project.default_pools = {"default", "dev"};
  project.rules = SchedulingRules{.interactive_time_limit = 60};
  Project back = RoundTrip(project);
  EXPECT_EQ(back.resources[0].gpu.deserved, MilliGpu{2500});
  EXPECT_EQ(back.resources[0].gpu.limit, std::nullopt);
  EXPECT_EQ(back.default_pools, project.default_pools);
  EXPECT_EQ(back.rules->interactive_time_limit, 60);
}

TEST(Stored, ADepartmentComesBackWithItsFairnessAndAnOldOneHasNone) {
  Department department;
  department.fairness = Fairness::kNthGpu;
  department.reclaim_min_runtime = 600;
  EXPECT_EQ(RoundTrip(department).fairness, Fairness::kNthGpu);
  EXPECT_EQ(RoundTrip(department).reclaim_min_runtime, 600);
  EXPECT_EQ(RoundTrip(department).preempt_min_runtime, std::nullopt);
  auto old = DecodeStored("department", R"({"id":4,"name":"physics"})");
  ASSERT_TRUE(old.has_value()) << old.error().message;
  EXPECT_EQ(std::get<Ptr<Department>>(*old)->fairness, std::nullopt);
}

TEST(Stored, AnAttemptComesBackWithWhereItsMemoryIsAndAnOldOneIsOnItsGpus) {
  Attempt attempt;
  attempt.residence = Residence::kAway;
  attempt.residence_since = Time{3'000'000};
  attempt.absences = {{Time{1'000'000}, Time{2'000'000}}};
  Attempt back = RoundTrip(attempt);
  EXPECT_EQ(back.residence, Residence::kAway);
  EXPECT_EQ(back.residence_since, attempt.residence_since);
  ASSERT_EQ(back.absences.size(), 1U);
  EXPECT_EQ(back.absences[0].to, Time{2'000'000});
  auto old = DecodeStored("attempt", R"({"number":1})");
  ASSERT_TRUE(old.has_value()) << old.error().message;
  EXPECT_TRUE(HoldsGpus(*std::get<Ptr<Attempt>>(*old)));
}

TEST(Stored, AReservationComesBackWithItsWindow) {
  Reservation reservation;
  reservation.name = "deadline";
  reservation.project = ProjectId{7};
  reservation.gpu = MilliGpu{4000};
  reservation.start = Time{1'000'000};
  reservation.end = Time{2'000'000};
  reservation.release_after_seconds = 1800;
  Reservation back = RoundTrip(reservation);
  EXPECT_EQ(back.end, reservation.end);
  EXPECT_EQ(back.pool, std::nullopt);
  EXPECT_EQ(back.release_after_seconds, 1800);
}

TEST(Stored, ARoleComesBackWithItsPermissions) {
  Role role;
  role.permissions[Resource::kWorkloads] = kAllActions;
  role.permissions[Resource::kProject] = kReadOnly;
  EXPECT_EQ(RoundTrip(role).permissions, role.permissions);
}

TEST(Stored, AWorkloadComesBackWithItsSpec) {
  Workload workload;
  workload.spec = ReadSpecText(R"({"image":"busybox","args":"a b"})");
  workload.life = Life::kWaiting;
  workload.deleted_at = Time{123456};
  Workload back = RoundTrip(workload);
  EXPECT_EQ(back.spec->document, workload.spec->document);
  EXPECT_EQ(back.spec->image, "busybox");
  EXPECT_EQ(back.spec->args, (Words{"a", "b"}));
  EXPECT_EQ(back.deleted_at, workload.deleted_at);
}

// Earlier versions kept a few fields of the spec beside it as well.
TEST(Stored, AWorkloadOfAnEarlierVersionIsReadFromItsSpec) {
  auto back = DecodeStored(
      "workload", R"({"name":"w","spec":{"image":"busybox","nodePools":["fast"],"later":1},)"
                  R"("masterSpec":{},"framework":"","image":"busybox","nodePools":["fast"],)"
                  R"("source":"Control-plane","phase":"Pending"})");
  ASSERT_TRUE(back) << back.error().message;
  const Workload& workload = *std::get<Ptr<Workload>>(*back);
  EXPECT_EQ(workload.spec->image, "busybox");
  EXPECT_EQ(workload.spec->placement->node_pools, std::vector<std::string>{"fast"});
  EXPECT_TRUE(workload.spec->document.json.contains(R"("later":1)"));
  EXPECT_EQ(workload.master_spec->document.json, "{}");
}

TEST(Stored, AnEarlierVersionToldStatesApartByTheirReasons) {
  auto life = [](std::string_view phase, std::string_view reason) {
    auto row = DecodeStored("workload",
                            fmt::format(R"({{"phase":"{}","phaseReason":"{}"}})", phase, reason));
    return std::get<Ptr<Workload>>(*row)->life;
  };
  EXPECT_EQ(life("Stopped", "Parked"), Life::kParked);
  EXPECT_EQ(life("Stopped", "Cancelled"), Life::kCancelled);
  EXPECT_EQ(life("Stopped", "Idle"), Life::kSuspended);
  EXPECT_EQ(life("Stopping", "CancelRequested"), Life::kCancelling);
  EXPECT_EQ(life("Running", "Parking"), Life::kLeaving);
  EXPECT_EQ(life("Pending", "Queued"), Life::kWaiting);
}

template <class... Ts>
void RoundTripAll(TypeList<Ts...>) {
  (RoundTrip(Ts{}), ...);
}

TEST(Stored, EveryKindComesBack) {
  RoundTripAll(ObjectTypes{});
}

TEST(Stored, UnknownKindsAndDamagedRecordsAreRefusedWithAReason) {
  EXPECT_EQ(DecodeStored("starship", "{}").error().code, Code::kUnsupported);
  auto damaged = DecodeStored("project", R"({"id":"seven"})");
  ASSERT_FALSE(damaged.has_value());
  EXPECT_NE(damaged.error().message.find("id must be a whole number"), std::string::npos);
}

TEST(Stored, TheAuditLogNeverShowsSecrets) {
  User user;
  user.password_hash = "$argon2id$secret";
  std::string text = HideSecrets(EncodeStored(Object(std::make_shared<const User>(user))));
  EXPECT_EQ(text.find("argon2id"), std::string::npos);
  EXPECT_NE(text.find("(hidden)"), std::string::npos);
}

TEST(Stored, TheAuditLogShowsNamesOfVariablesButNoValuesAndNoCredentialsOfUrls) {
  Workload workload;
  workload.spec =
      ReadSpecText(R"({"environmentVariables":[{"name":"API_KEY","value":"hunter2"}],)"
                   R"("storage":{"git":[{"repository":"https://ann:hunter2@host/a.git"}]}})");
  std::string text = HideSecrets(EncodeStored(Object(std::make_shared<const Workload>(workload))));
  EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
  EXPECT_NE(text.find("API_KEY"), std::string::npos);
  EXPECT_NE(text.find("https://***@host/a.git"), std::string::npos) << text;
}

}  // namespace
}  // namespace yard::wire
