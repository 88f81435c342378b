#include "control/policy/host_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "control/commands/assets.h"
#include "control/commands/bootstrap.h"
#include "control/commands/roles_predefined.h"
#include "control/commands/users.h"
#include "control/commands/workloads.h"
#include "control/launch/spec.h"
#include "control/policy/host_lists.h"
#include "control/testing/yard_fixture.h"
#include "wire/spec.h"

namespace yard::control {
namespace {

using ::testing::HasSubstr;

class HostRules : public ::testing::Test {
 protected:
  Status Submit(const std::string& spec, WorkloadType type = WorkloadType::kTraining) {
    return yard_.TrySubmit(yard_.Draft("job" + std::to_string(++count_), spec, type), &id_);
  }
  Status Mount(const std::string& path, const std::string& more = "") {
    return Submit(R"({"image":"lab/a:1","storage":{"hostPath":[{"path":")" + path +
                  R"(","mountPath":"/in")" + more + "}]}}");
  }
  Status Secure(const std::string& security) {
    return Submit(R"({"image":"lab/a:1","security":)" + security + "}");
  }
  Status Allow(const Scope& scope, const std::string& list) {
    json::value body = *ParseJson(list);
    return yard_.Do(
        [&](Txn& txn) { return Outcome(SetHostAccess(txn, scope, body.get_object())); });
  }
  Status Allow(const std::string& list) { return Allow(Scope::Of(yard_.project()), list); }
  Result<engine::TaskSpec> Build() {
    return BuildTask(*yard_.state(), *yard_.AttemptOf(id_), 0, context_);
  }
  static std::string MessageOf(const Status& status) {
    return status ? "(allowed)" : status.error().message;
  }

  YardFixture yard_;
  LaunchContext context_;
  WorkloadId id_;
  int count_ = 0;
};

TEST_F(HostRules, NothingOfTheMachineIsGivenUnlessItIsListed) {
  Status refused = Mount("/data");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kForbidden);
  EXPECT_THAT(refused.error().message, HasSubstr("spec.storage.hostPath[0].path"));
  EXPECT_THAT(refused.error().details, HasSubstr("gpuyard host-access allow --project vision"));
  EXPECT_THAT(MessageOf(Secure(R"({"capabilities":["CHOWN","SYS_ADMIN"]})")),
              HasSubstr("spec.security.capabilities[1]"));
  EXPECT_THAT(MessageOf(Secure(R"({"hostNetwork":true})")), HasSubstr("spec.security.hostNetwork"));
  EXPECT_THAT(MessageOf(Secure(R"({"hostIpc":true})")), HasSubstr("spec.security.hostIpc"));
  EXPECT_THAT(MessageOf(Secure(R"({"runAsUid":0})")), HasSubstr("spec.security.runAsUid"));
  EXPECT_THAT(MessageOf(Secure(R"({"runAsUid":1000,"runAsGid":4})")), HasSubstr("runAsGid"));
  EXPECT_THAT(MessageOf(Secure(R"({"supplementalGroups":"1000,6"})")), HasSubstr("supplemental"));
  EXPECT_THAT(MessageOf(Secure(R"({"seccompProfileType":"Unconfined"})")), HasSubstr("profile"));
  EXPECT_THAT(MessageOf(Secure(R"({"allowPrivilegeEscalation":true})")), HasSubstr("privileges"));
}

TEST_F(HostRules, WorkAsItUsuallyIsNeedsNoList) {
  EXPECT_EQ(MessageOf(Submit(R"({"command":"x"})")), "(allowed)");
  EXPECT_EQ(MessageOf(Secure(R"({"capabilities":["cap_chown","NET_RAW"],"hostNetwork":false,
      "allowPrivilegeEscalation":false,"seccompProfileType":"RuntimeDefault"})")),
            "(allowed)");
  for (const char* image : {"a", "a:1", "lab/a@sha256:00", "localhost:5000/a/b:1", "sha256:ab"}) {
    EXPECT_TRUE(RequireImageName(image, "spec.image")) << image;
  }
}

TEST_F(HostRules, AnImageIsOfARegistryAndNoFileOfTheMachine) {
  for (const char* image : {"docker-archive:/home/bob/a.tar", "dir:/etc", "oci:x", "/etc/x", "../x",
                            "docker://lab/a", "containers-storage:a", "tarball:x.tar", "-v"}) {
    EXPECT_FALSE(RequireImageName(image, "spec.image")) << image;
  }
  EXPECT_FALSE(Submit(R"({"image":"docker-archive:/home/bob/a.tar"})"));
}

TEST_F(HostRules, AListedFolderHoldsWhatLiesInItAndNotItsNamesakes) {
  ASSERT_TRUE(Allow(R"({"paths":[{"path":"/data"},{"path":"/sets","readOnly":true}]})"));
  EXPECT_EQ(MessageOf(Mount("/data")), "(allowed)");
  EXPECT_EQ(MessageOf(Mount("/data/a/b")), "(allowed)");
  EXPECT_EQ(MessageOf(Mount("/sets/x", R"(,"readOnly":true)")), "(allowed)");
  EXPECT_THAT(MessageOf(Mount("/sets/x")), HasSubstr("set readOnly"));
  EXPECT_FALSE(Mount("/database"));
  EXPECT_FALSE(Mount("/data/../home"));
  EXPECT_FALSE(Mount("data"));
}

TEST_F(HostRules, AWiderScopeListsForItsProjects) {
  ASSERT_TRUE(Allow(Scope::Tenant(), R"({"hostIpc":true,"ids":["2000-2999"]})"));
  ASSERT_TRUE(Allow(R"({"capabilities":["sys_ptrace"],"hostNetwork":true})"));
  EXPECT_EQ(MessageOf(Secure(R"({"hostNetwork":true,"hostIpc":true,
      "runAsUid":2001,"runAsGid":2999})")),
            "(allowed)");
  EXPECT_EQ(MessageOf(Secure(R"({"capabilities":["SYS_PTRACE"]})")), "(allowed)");
}

TEST_F(HostRules, TheSystemAndTheServersOwnFoldersStayClosedWhateverIsListed) {
  ASSERT_TRUE(yard_.Do([](Txn& txn) { return CloseFolders(txn, {"/srv/yard"}); }));
  for (const char* path :
       {"/", "/etc", "/proc/self/root", "/run/podman", "/srv", "/srv/yard/keys"}) {
    EXPECT_FALSE(Allow(R"({"paths":[{"path":")" + std::string(path) + "\"}]}")) << path;
    EXPECT_THAT(MessageOf(Mount(path)), HasSubstr("can never be mounted")) << path;
  }
  EXPECT_FALSE(Allow(R"({"capabilities":["ALL"]})"));
  EXPECT_FALSE(Allow(R"({"ids":["7-3"]})"));
}

TEST_F(HostRules, ALaunchAsksAgain) {
  ASSERT_TRUE(Allow(R"({"paths":[{"path":"/data"}]})"));
  ASSERT_TRUE(Mount("/data/a"));
  yard_.Settle();
  ASSERT_TRUE(Build());
  ASSERT_TRUE(yard_.Do([&](Txn& txn) { return ClearHostAccess(txn, Scope::Of(yard_.project())); }));
  Result<engine::TaskSpec> refused = Build();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("may not mount '/data/a'"));
}

TEST_F(HostRules, ALinkLeadsNowhereElse) {
  ASSERT_TRUE(yard_.Do([](Txn& txn) { return CloseFolders(txn, {"/srv/yard"}); }));
  ASSERT_TRUE(Allow(R"({"paths":[{"path":"/data"}]})"));
  ASSERT_TRUE(Mount("/data/a"));
  yard_.Settle();
  std::string leads_to = "/disk/data/a";
  context_.resolve_path = [&](const std::string& path) -> Result<std::string> {
    return path == "/data" ? "/disk/data" : leads_to;
  };
  Result<engine::TaskSpec> task = Build();
  ASSERT_TRUE(task);
  EXPECT_EQ(task->mounts[0].source, "/disk/data/a") << "no link is left to be turned";
  for (const char* other : {"/disk/database", "/etc", "/srv/yard/keys", "/home/bob"}) {
    leads_to = other;
    EXPECT_FALSE(Build()) << other;
  }
}

TEST_F(HostRules, AContainerRunsAsItsOwnerOrAsListed) {
  ASSERT_TRUE(
      yard_.Do([](Txn& txn) { return Outcome(CreateUser(txn, {.email = SystemPrincipal().id})); }));
  context_.accounts.find = [](const std::string&) -> Result<engine::Account> {
    return engine::Account{.uid = 1234, .gid = 1235, .groups = {1300}};
  };
  ASSERT_TRUE(Secure(R"({"runAsUid":1234,"runAsGid":1235,"supplementalGroups":"1300"})"));
  yard_.Settle();
  EXPECT_EQ(MessageOf(Outcome(Build())), "(allowed)");
  ASSERT_TRUE(Secure(R"({"runAsUid":1001})"));
  yard_.Settle();
  EXPECT_THAT(MessageOf(Outcome(Build())), HasSubstr("may not run as 1001"));
  ASSERT_TRUE(Allow(R"({"ids":["1001"]})"));
  EXPECT_EQ(MessageOf(Outcome(Build())), "(allowed)");
}

TEST_F(HostRules, AnIdOfTheMachineComesWithNothingOfRoots) {
  ASSERT_TRUE(Allow(R"({"ids":["0","2000"],"capabilities":["SYS_ADMIN"]})"));
  EXPECT_THAT(MessageOf(Secure(R"({"runAsUid":2000,"capabilities":["CHOWN"]})")),
              HasSubstr("has no capabilities"));
  EXPECT_THAT(MessageOf(Secure(R"({"runAsUid":2000,"runAsGid":0})")), HasSubstr("root's group"));
  EXPECT_THAT(MessageOf(Secure(R"({"runAsUid":2000,"supplementalGroups":"2000, 0"})")),
              HasSubstr("root's group"));
  EXPECT_EQ(MessageOf(Secure(R"({"runAsUid":0,"runAsGid":0,"capabilities":["SYS_ADMIN"]})")),
            "(allowed)");
}

TEST_F(HostRules, AnAssetAllowsItsPathAndOnlyAnAdministratorMakesItFreely) {
  auto make = [&](const Principal& who, const std::string& path) {
    return yard_.service().WriteAndWait(who, [&](Txn& txn) {
      return Outcome(
          CreateAsset(txn, {.kind = AssetKind::kHostPath,
                            .name = "sets" + std::to_string(++count_),
                            .scope = Scope::Of(yard_.project()),
                            .spec = Document{R"({"path":")" + path + R"(","mountPath":"/in"})"}}));
    });
  };
  Principal ann{.id = "ann@lab.org"};
  ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
    (void)txn.Require(Resource::kAccessRules, Action::kCreate, {});
    RoleId l1;
    for (const Role& role : PredefinedRoles()) {
      if (role.name == "L1 researcher") l1 = role.id;
      if (!txn.state().Find<Role>(role.id)) txn.Put(role);
    }
    txn.Put(AccessRule{.id = AccessRuleId{txn.Next("rules")},
                       .subject_id = "ann@lab.org",
                       .role = l1,
                       .scope = Scope::Of(yard_.project())});
    return {};
  }));
  EXPECT_THAT(MessageOf(make(ann, "/home/bob")), HasSubstr("spec.path"));
  EXPECT_FALSE(make(SystemPrincipal(), "/etc"));
  EXPECT_EQ(MessageOf(make(SystemPrincipal(), "/sets")), "(allowed)");
  EXPECT_EQ(MessageOf(Mount("/sets")), "(allowed)");
  EXPECT_FALSE(Mount("/sets/below")) << "exactly its path";
  ASSERT_TRUE(Allow(R"({"paths":[{"path":"/data"}]})"));
  EXPECT_EQ(MessageOf(make(ann, "/data/a")), "(allowed)");
}

TEST_F(HostRules, AMasterIsAskedLikeItsWorkers) {
  Workload draft =
      yard_.Draft("gang", R"({"command":"x","numWorkers":1})", WorkloadType::kDistributed);
  draft.master_spec = wire::ReadSpecText(R"({"image":"a","security":{"hostNetwork":true}})");
  EXPECT_THAT(MessageOf(yard_.TrySubmit(draft, &id_)),
              HasSubstr("masterSpec.security.hostNetwork"));
}

}  // namespace
}  // namespace yard::control
