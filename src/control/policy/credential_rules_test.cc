#include "control/policy/credential_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "control/commands/assets.h"
#include "control/commands/workloads.h"
#include "control/launch/spec.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

using ::testing::HasSubstr;

TEST(RegistryHosts, AreComparedWholeWithTheirPorts) {
  EXPECT_EQ(RegistryHost("https://Registry.Lab/v2/"), "registry.lab");
  EXPECT_EQ(RegistryHost("registry.lab:443"), "registry.lab");
  EXPECT_EQ(RegistryHost("http://registry.lab:80/"), "registry.lab");
  EXPECT_EQ(RegistryHost("registry.lab:5000"), "registry.lab:5000");
  EXPECT_EQ(RegistryHost("https://registry.lab@evil.lab/x"), "evil.lab");
  EXPECT_EQ(RegistryHost("https://index.docker.io/v1/"), "docker.io");
  EXPECT_EQ(RegistryHost(""), "");
  EXPECT_EQ(RegistryOfImage("registry.lab:5000/x/y:1"), "registry.lab:5000");
  EXPECT_EQ(RegistryOfImage("lab/train:1"), "docker.io");
  EXPECT_EQ(RegistryOfImage("train"), "docker.io");
  EXPECT_EQ(RegistryOfImage("localhost/train"), "localhost");
}

class Credentials : public ::testing::Test {
 protected:
  void MakeRegistry(const std::string& name, const std::string& url) {
    std::string sealed = vault_.Seal(R"({"password":"s3cret"})", yard_.service().random());
    ASSERT_TRUE(yard_.Do([&](Txn& txn) {
      return Outcome(CreateAsset(txn, {.kind = AssetKind::kDockerRegistry,
                                       .name = name,
                                       .scope = Scope::Of(yard_.project()),
                                       .spec = Document{R"({"user":"ann","url":")" + url + "\"}"},
                                       .sealed_secret = sealed}));
    }));
  }
  Result<engine::TaskSpec> Build(const std::string& spec) {
    id_ = yard_.Submit("job" + std::to_string(++count_), spec);
    return BuildTask(*yard_.state(), *yard_.AttemptOf(id_), 0, {.vault = &vault_});
  }
  std::string PasswordFor(const std::string& image) {
    Result<engine::TaskSpec> task = Build(R"({"image":")" + image + "\"}");
    return task ? task->container->registry_password : task.error().message;
  }
  // Somebody who may submit trainings to the project, and whatever else is given.
  void AddMember(const std::string& email, Role role) {
    ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
      YARD_TRY(txn.Require(Resource::kRoles, Action::kCreate, {}));
      role.id = RoleId{txn.Next("test-roles") + 1000};
      txn.Put(AccessRule{.id = AccessRuleId{txn.Next("test-rules") + 1000},
                         .subject_id = email,
                         .role = role.id,
                         .scope = Scope::Of(yard_.project())});
      txn.Put(role);
      txn.Put(User{.id = UserId{txn.NewUuid()}, .email = email});
      return {};
    }));
  }
  Status SubmitAs(const std::string& email, const std::string& spec) {
    Workload draft = yard_.Draft("job" + std::to_string(++count_), spec, WorkloadType::kTraining);
    return yard_.service().WriteAndWait({.id = email}, [&](Txn& txn) -> Status {
      YARD_ASSIGN(Ptr<Workload> made, CreateWorkload(txn, {.workload = draft}));
      id_ = made->id;
      return {};
    });
  }

  YardFixture yard_;
  Vault vault_{VaultKey{1, 2, 3}};
  WorkloadId id_;
  int count_ = 0;
};

TEST_F(Credentials, ARegistrysPasswordGoesToThatRegistryAlone) {
  MakeRegistry("company", "https://registry.company.com");
  EXPECT_EQ(PasswordFor("registry.company.com/a:1"), "s3cret");
  EXPECT_EQ(PasswordFor("REGISTRY.company.com:443/a:1"), "s3cret");
  for (const char* image : {"y.com/a:1", "company.com/a:1", "registry.company.com:5000/a:1",
                            "registry.company.com.evil.org/a:1", "user/a:1", "a"}) {
    EXPECT_EQ(PasswordFor(image), "") << image;
  }
}

TEST_F(Credentials, ANamedOneIsNotSentElsewhereEither) {
  MakeRegistry("company", "registry.company.com");
  Result<engine::TaskSpec> task =
      Build(R"({"image":"evil.org/a:1","imagePullSecrets":[{"name":"company"}]})");
  ASSERT_FALSE(task);
  EXPECT_THAT(task.error().message, HasSubstr("is for the registry 'registry.company.com'"));
  EXPECT_TRUE(
      Build(R"({"image":"registry.company.com/a:1","imagePullSecrets":[{"name":"company"}]})"));
}

TEST_F(Credentials, DockerHubHasManyNames) {
  MakeRegistry("hub", "https://index.docker.io/v1/");
  EXPECT_EQ(PasswordFor("team/train:1"), "s3cret");
  EXPECT_EQ(PasswordFor("docker.io/team/train:1"), "s3cret");
  EXPECT_EQ(PasswordFor("train"), "s3cret");
}

TEST_F(Credentials, AreUsedByThoseWhoMayReadThem) {
  MakeRegistry("company", "registry.company.com");
  AddMember("ann@lab.org", {.permissions = {{Resource::kTrainings, kAllActions},
                                            {Resource::kCredentials, kReadOnly}}});
  AddMember("mallory@lab.org", {.permissions = {{Resource::kTrainings, kAllActions}}});
  const std::string prints = R"({"command":"env","environmentVariables":[
      {"name":"X","secret":{"name":"company","key":"password"}}]})";
  EXPECT_TRUE(SubmitAs("ann@lab.org", prints));
  Status refused = SubmitAs("mallory@lab.org", prints);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kForbidden);
  EXPECT_THAT(refused.error().message, HasSubstr("spec.environmentVariables[0].secret"));
  for (const char* spec :
       {R"({"image":"a","imagePullSecrets":[{"name":"company"}]})",
        R"({"command":"x","storage":{"git":[{"passwordSecret":"company"}]}})",
        R"({"command":"x","storage":{"secretVolume":[{"secret":"company"}]}})"}) {
    EXPECT_FALSE(SubmitAs("mallory@lab.org", spec)) << spec;
  }
}

TEST_F(Credentials, AreAskedForAgainWhenTheWorkStarts) {
  MakeRegistry("company", "registry.company.com");
  AddMember("mallory@lab.org", {.permissions = {{Resource::kTrainings, kAllActions}}});
  ASSERT_TRUE(SubmitAs("mallory@lab.org", R"({"image":"registry.company.com/a:1"})"));
  yard_.Settle();
  auto task = BuildTask(*yard_.state(), *yard_.AttemptOf(id_), 0, {.vault = &vault_});
  ASSERT_TRUE(task);
  EXPECT_EQ(task->container->registry_password, "") << "it is pulled without a name";
}

}  // namespace
}  // namespace yard::control
