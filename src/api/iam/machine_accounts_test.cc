// Assigning the machine's accounts to users: a right of its own, of the whole tenant.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "api/testing/harness.h"
#include "control/auth/machine_accounts.h"

namespace yard::api::testing {
namespace {

class MachineAccountRoutes : public ::testing::Test {
 protected:
  MachineAccountRoutes() {
    h_.Grant("dadmin@lab.org", "Department administrator", Scope::Of(h_.MakeDepartment("alpha")));
    self_ = MakeBy(h_.Admin(), "dadmin@lab.org");
    ann_ = MakeBy(h_.Admin(), "ann@lab.org");
  }
  static std::string MakeBy(Caller caller, const std::string& email) {
    Response made = caller.Post("/api/v1/users", R"({"email":")" + email + R"("})");
    EXPECT_EQ(made.status, 201) << made.body;
    return "/api/v1/users/" + std::string(made.Json().at("id").as_string());
  }
  Caller DepartmentAdmin() { return h_.As("dadmin@lab.org"); }
  std::optional<std::string> AccountOf(std::string_view email) {
    return control::AccountNameOf(*h_.state()->UserByEmail(email));
  }

  Harness h_;
  std::string self_;
  std::string ann_;
};

TEST_F(MachineAccountRoutes, ADepartmentAdministratorAssignsNone) {
  for (std::string_view name : {"root", "ann", "carol", ""}) {
    std::string body = R"({"unixName":")" + std::string(name) + R"("})";
    EXPECT_EQ(DepartmentAdmin().Patch(self_, body).status, 403) << name;
  }
  EXPECT_EQ(
      DepartmentAdmin().Post("/api/v1/users", R"({"email":"x@lab.org","unixName":"carol"})").status,
      403);
  EXPECT_EQ(DepartmentAdmin().Patch(self_, R"({"groups":["x"]})").status, 200)
      << "the rest of a user stays theirs to change";
}

TEST_F(MachineAccountRoutes, AnAddressGivesAnAccountOnlyIfATenantAdministratorMadeTheUser) {
  EXPECT_EQ(AccountOf("ann@lab.org"), "ann");
  MakeBy(DepartmentAdmin(), "carol@evil.org");
  EXPECT_EQ(AccountOf("carol@evil.org"), std::nullopt);
}

TEST_F(MachineAccountRoutes, TheFirstOwnerKeepsAnAccount) {
  MakeBy(DepartmentAdmin(), "ann@evil.org");
  MakeBy(h_.Admin(), "ann@other.org");
  EXPECT_EQ(AccountOf("ann@lab.org"), "ann");
  EXPECT_EQ(AccountOf("ann@evil.org"), std::nullopt);
  EXPECT_EQ(AccountOf("ann@other.org"), std::nullopt);
  std::string bob = MakeBy(h_.Admin(), "bob@lab.org");
  EXPECT_EQ(h_.Admin().Patch(bob, R"({"unixName":"ann"})").status, 409);
  EXPECT_EQ(h_.Admin().Patch(bob, R"({"unixName":"Ann"})").status, 409);
  EXPECT_EQ(h_.Admin().Patch(ann_, R"({"unixName":""})").status, 200);
  EXPECT_EQ(h_.Admin().Patch(bob, R"({"unixName":"ann"})").status, 200);
}

TEST_F(MachineAccountRoutes, NobodyIsGivenTheSystemsAccounts) {
  for (std::string_view name : {"root", "daemon", "0", "a/b"}) {
    std::string body = R"({"unixName":")" + std::string(name) + R"("})";
    EXPECT_EQ(h_.Admin().Patch(ann_, body).status, 400) << name;
  }
  EXPECT_EQ(h_.Admin().Post("/api/v1/users", R"({"email":"x@lab.org","unixName":"daemon"})").status,
            400);
}

TEST_F(MachineAccountRoutes, AResetIsNoWayToTheAccountOfAnother) {
  ASSERT_EQ(h_.Admin().Patch(ann_, R"({"unixName":"ann"})").status, 200);
  EXPECT_EQ(DepartmentAdmin().Post(ann_ + "/password").status, 403);
  std::string bob = MakeBy(h_.Admin(), "bob@lab.org");
  EXPECT_EQ(DepartmentAdmin().Post(bob + "/password").status, 200);
  EXPECT_EQ(AccountOf("bob@lab.org"), std::nullopt) << "a tenant administrator assigns it again";
  EXPECT_EQ(h_.Admin().Post(ann_ + "/password").status, 200);
  EXPECT_EQ(AccountOf("ann@lab.org"), "ann");
}

// Work belongs to an e-mail: a new password, or a new user of that name, would enter it.
TEST_F(MachineAccountRoutes, NeitherAResetNorADeletionIsAWayToWorkThatRunsUnderAnAccount) {
  ProjectId project = h_.MakeProject("vision");
  h_.Grant("ann@lab.org", "L1 researcher", Scope::Of(project));
  h_.Grant("dadmin@lab.org", "L1 researcher", Scope::Of(project));
  Response work = h_.As("ann@lab.org")
                      .Post("/api/v1/workloads/trainings",
                            fmt::format(R"({{"name":"run","projectId":"{}","clusterId":"{}",)"
                                        R"("spec":{{"command":"sleep 99"}}}})",
                                        project.value, FormatUuid(h_.cluster().value)));
  ASSERT_EQ(work.status, 200) << work.body;
  EXPECT_EQ(DepartmentAdmin().Post(ann_ + "/password").status, 403);
  EXPECT_EQ(DepartmentAdmin().Delete(ann_).status, 403);
  EXPECT_EQ(AccountOf("ann@lab.org"), "ann");
  EXPECT_EQ(h_.Admin().Post(ann_ + "/password").status, 200);
  EXPECT_EQ(h_.Admin().Delete(ann_).status, 204);
}

TEST_F(MachineAccountRoutes, TheRightIsNotHandedOutByThoseWithoutItAndHoldsForTheTenantOnly) {
  Response role = h_.Admin().Post("/api/v1/authorization/roles",
                                  R"({"name":"Mapper","permissions":[
      {"resourceType":"machine-accounts","actions":["update"]},
      {"resourceType":"users","actions":["update"]}]})");
  ASSERT_EQ(role.status, 201) << role.body;
  DepartmentId alpha = h_.MakeDepartment("beta");
  h_.Grant("dadmin@lab.org", "Department administrator", Scope::Of(alpha));
  Response granted = DepartmentAdmin().Post(
      "/api/v1/authorization/access-rules",
      fmt::format(R"({{"subjectId":"dadmin@lab.org","subjectType":"user","roleId":{},)"
                  R"("scopeId":"{}","scopeType":"department"}})",
                  role.Json().at("id").as_int64(), alpha.value));
  EXPECT_EQ(granted.status, 403) << granted.body;
  h_.Grant("dadmin@lab.org", "Mapper", Scope::Of(alpha));
  EXPECT_EQ(DepartmentAdmin().Patch(self_, R"({"unixName":"carol"})").status, 403);
  h_.Grant("dadmin@lab.org", "Mapper");
  EXPECT_EQ(DepartmentAdmin().Patch(self_, R"({"unixName":"carol"})").status, 200);
}

}  // namespace
}  // namespace yard::api::testing
