#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/commands/workloads.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

using ::testing::HasSubstr;

class InferencePatch : public ::testing::Test {
 protected:
  // Ann and Bob may both change the project's inferences.
  void SetUp() override {
    ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
      YARD_TRY(txn.Require(Resource::kRoles, Action::kCreate, {}));
      Role role{.id = RoleId{1000},
                .permissions = {{Resource::kInferences, kAllActions},
                                {Resource::kCredentials, kReadOnly}}};
      txn.Put(role);
      std::int64_t rule = 1000;
      for (const char* email : {"ann@lab.org", "bob@lab.org"}) {
        txn.Put(AccessRule{.id = AccessRuleId{++rule},
                           .subject_id = email,
                           .role = role.id,
                           .scope = Scope::Of(yard_.project())});
      }
      return {};
    }));
  }
  void SubmitAsAnn(const std::string& spec) {
    Workload draft = yard_.Draft("service", spec, WorkloadType::kInference);
    ASSERT_TRUE(yard_.service().WriteAndWait({.id = "ann@lab.org"}, [&](Txn& txn) -> Status {
      YARD_ASSIGN(Ptr<Workload> made, CreateWorkload(txn, {.workload = draft}));
      id_ = made->id;
      return {};
    }));
    yard_.Settle();
  }
  Status PatchAs(const std::string& email, const std::string& fields) {
    Status patched = yard_.service().WriteAndWait({.id = email}, [&](Txn& txn) {
      return Outcome(PatchInference(txn, id_, Document{fields}));
    });
    yard_.Settle();
    return patched;
  }

  YardFixture yard_;
  WorkloadId id_;
};

TEST_F(InferencePatch, OnlyTheOwnerChangesWhatRunsUnderTheOwnersAccount) {
  SubmitAsAnn(R"({"command":"serve","compute":{"gpuDevicesRequest":100}})");
  for (const char* fields : {R"({"command":"id"})", R"({"args":"x"})", R"({"image":"evil:1"})",
                             R"({"environmentVariables":[{"name":"LD_PRELOAD","value":"x"}]})",
                             R"({"workingDir":"/home/ann"})"}) {
    Status refused = PatchAs("bob@lab.org", fields);
    ASSERT_FALSE(refused) << fields;
    EXPECT_EQ(refused.error().code, Code::kForbidden);
    EXPECT_THAT(refused.error().message, HasSubstr("the account of ann@lab.org"));
  }
  EXPECT_TRUE(PatchAs("bob@lab.org", R"({"compute":{"gpuDevicesRequest":101}})"));
  EXPECT_TRUE(PatchAs("ann@lab.org", R"({"command":"serve --fast"})"));
}

TEST_F(InferencePatch, AContainerWithIdsOfTheMachineIsItsOwnersToo) {
  SubmitAsAnn(R"({"image":"a","security":{"runAsUid":1234},"compute":{"gpuDevicesRequest":100}})");
  EXPECT_FALSE(PatchAs("bob@lab.org", R"({"command":"id"})"));
}

TEST_F(InferencePatch, AColleagueMayChangeAContainer) {
  SubmitAsAnn(R"({"image":"a","compute":{"gpuDevicesRequest":100}})");
  EXPECT_TRUE(PatchAs("bob@lab.org", R"({"command":"serve"})"));
  EXPECT_FALSE(PatchAs("bob@lab.org", R"({"image":"dir:/etc"})"));
}

TEST_F(InferencePatch, TheSchedulerSeesWhatWaitingWorkAsksForNow) {
  SubmitAsAnn(R"({"command":"serve","compute":{"gpuDevicesRequest":100}})");
  ASSERT_EQ(yard_.PhaseOf(id_), Phase::kPending);
  ASSERT_TRUE(PatchAs("ann@lab.org", R"({"compute":{"gpuDevicesRequest":1}})"));
  EXPECT_NE(yard_.PhaseOf(id_), Phase::kPending) << yard_.Find(id_)->phase_message;
}

TEST_F(InferencePatch, AProjectThatIsNotThereIsRefusedLikeOneOutOfReach) {
  auto submit = [&](ProjectId project) {
    Workload draft = yard_.Draft("probe", "{}", WorkloadType::kInference);
    draft.project = project;
    return yard_.service().WriteAndWait({.id = "eve@lab.org"}, [&](Txn& txn) {
      return Outcome(CreateWorkload(txn, {.workload = draft}));
    });
  };
  Status foreign = submit(yard_.project());
  Status invented = submit(ProjectId{yard_.project().value + 1});
  ASSERT_FALSE(foreign);
  ASSERT_FALSE(invented);
  EXPECT_EQ(foreign.error().code, invented.error().code);
}

}  // namespace
}  // namespace yard::control
