#include "control/commands/bootstrap.h"

#include <gtest/gtest.h>

#include "control/commands/roles_predefined.h"
#include "control/commands/users.h"
#include "control/testing/memory_service.h"

namespace yard::control {
namespace {

class BootstrapTest : public ::testing::Test {
 protected:
  ManualClock clock_{Time{1'780'000'000'000'000}};
  SeededRandom random_{1};
  std::unique_ptr<Service> service_ = StartInMemory(clock_, random_);
};

TEST_F(BootstrapTest, AnEmptyServerGetsWhatItNeedsToBeUsed) {
  EXPECT_TRUE(NeedsBootstrap(*service_->Read()));
  ASSERT_TRUE(Bootstrap(*service_, {.admin_email = "Root@Lab.org"}));
  Snapshot state = service_->Read();
  EXPECT_FALSE(NeedsBootstrap(*state));
  EXPECT_EQ(state->Of<Cluster>().size(), 1U);
  EXPECT_EQ(state->Of<NodePool>().size(), 1U);
  EXPECT_EQ(state->Of<Department>().size(), 1U);
  EXPECT_EQ(state->Of<Role>().size(), 15U);
  EXPECT_TRUE(Authorize(*state, {.id = "root@lab.org"}, Resource::kTenant, Action::kUpdate, {}));
}

TEST_F(BootstrapTest, ASecondStartChangesNothing) {
  ASSERT_TRUE(Bootstrap(*service_, {}));
  Snapshot first = service_->Read();
  ASSERT_TRUE(Bootstrap(*service_, {.admin_email = "other@lab.org"}));
  EXPECT_EQ(service_->Read(), first);
}

TEST_F(BootstrapTest, APrintedPasswordIsRememberedAsSuchUntilItIsChanged) {
  ASSERT_TRUE(Bootstrap(*service_, {.admin_password_hash = "printed",
                                    .password = BootstrapOptions::Origin::kPrinted}));
  Ptr<User> user = service_->Read()->UserByEmail(kFirstAdministrator);
  ASSERT_TRUE(user);
  EXPECT_TRUE(user->has_first_password);
  EXPECT_FALSE(user->must_change_password);
  const PasswordChange change{.user = user->id, .checked_hash = "printed", .new_hash = "own"};
  ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), [&](Txn& txn) -> Status {
    YARD_TRY(ChangeOwnPassword(txn, change));
    return {};
  }));
  EXPECT_FALSE(service_->Read()->UserByEmail(kFirstAdministrator)->has_first_password);
}

TEST_F(BootstrapTest, TheFirstProjectIsMadeOnceAndHasNoLimits) {
  ASSERT_TRUE(Bootstrap(*service_, {}));
  ASSERT_TRUE(MakeFirstProject(*service_));
  ASSERT_TRUE(MakeFirstProject(*service_));
  Snapshot state = service_->Read();
  ASSERT_EQ(state->Of<Project>().size(), 1U);
  state->Of<Project>().Each([](const Project& project) {
    ASSERT_EQ(project.resources.size(), 1U);
    EXPECT_FALSE(project.resources[0].gpu.deserved) << "unlimited";
  });
}

TEST_F(BootstrapTest, PredefinedRolesFollowTheCodeAtEveryStart) {
  ASSERT_TRUE(Bootstrap(*service_, {}));
  ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), [](Txn& txn) -> Status {
    Role bent = *txn.state().Find<Role>(kSystemAdministrator);
    bent.permissions.clear();
    txn.Put(std::move(bent));
    return {};
  }));
  ASSERT_TRUE(Bootstrap(*service_, {}));
  EXPECT_EQ(service_->Read()->Find<Role>(kSystemAdministrator)->permissions,
            PredefinedRoles()[0].permissions);
}

TEST(PredefinedRoles, ThereAreFifteenWithTheNamesScriptsLookFor) {
  std::vector<std::string> names;
  for (const Role& role : PredefinedRoles()) names.push_back(role.name);
  EXPECT_EQ(names.size(), 15U);
  for (const char* wanted :
       {"L2 researcher", "Environment administrator", "Template administrator"}) {
    EXPECT_NE(std::ranges::find(names, wanted), names.end()) << wanted;
  }
}

TEST(PredefinedRoles, AnL2ResearcherSeesNeitherDashboardsNorDepartments) {
  const Role& role = PredefinedRoles()[5];
  ASSERT_EQ(role.name, "L2 researcher");
  EXPECT_FALSE(role.permissions.contains(Resource::kDashboardsAnalytics));
  EXPECT_FALSE(role.permissions.contains(Resource::kDepartment));
  EXPECT_EQ(role.permissions.at(Resource::kWorkloads), kAllActions);
  EXPECT_EQ(role.permissions.at(Resource::kTemplates), kReadOnly);
}

}  // namespace
}  // namespace yard::control
