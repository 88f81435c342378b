#include "control/launch/spec.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "control/auth/machine_accounts.h"
#include "control/commands/assets.h"
#include "control/commands/users.h"
#include "control/policy/host_lists.h"
#include "control/testing/yard_fixture.h"

namespace yard::control {
namespace {

class LaunchSpec : public ::testing::Test {
 protected:
  // These tests are about how a task is put together, so everything they use is listed.
  void SetUp() override {
    json::value list = *ParseJson(R"({"paths":[{"path":"/data"}],"capabilities":["SYS_PTRACE"],
        "ids":["7-8","100","1000"],"claims":[{"name":"bound","source":"/srv/data"},
        {"name":"far","source":"nas:/export","readOnly":true}]})");
    ASSERT_TRUE(yard_.Do(
        [&](Txn& txn) { return Outcome(SetHostAccess(txn, Scope::Tenant(), list.get_object())); }));
  }
  Result<engine::TaskSpec> Build(const std::string& spec, std::int32_t rank = 0) {
    WorkloadType type = spec.find("numWorkers") == std::string::npos ? WorkloadType::kTraining
                                                                     : WorkloadType::kDistributed;
    id_ = yard_.Submit("job" + std::to_string(++count_), spec, type);
    return BuildTask(*yard_.state(), *yard_.AttemptOf(id_), rank, context_);
  }
  static std::string Variable(const engine::TaskSpec& task, std::string_view name) {
    auto at = std::ranges::find(task.variables, name, &engine::Variable::name);
    return at == task.variables.end() ? "(not set)" : at->value;
  }
  void MakeSecret(const std::string& name, const std::string& json) {
    std::string sealed = vault_.Seal(json, yard_.service().random());
    ASSERT_TRUE(yard_.Do([&](Txn& txn) {
      return Outcome(CreateAsset(txn, {.kind = AssetKind::kPassword,
                                       .name = name,
                                       .scope = Scope::Of(yard_.project()),
                                       .spec = Document{R"({"user":"ann"})"},
                                       .sealed_secret = sealed}));
    }));
  }

  YardFixture yard_;
  Vault vault_{VaultKey{1, 2, 3}};
  LaunchContext context_{.vault = &vault_};
  WorkloadId id_;
  int count_ = 0;
};

TEST_F(LaunchSpec, TextsAreSplitAsAShellWouldAndListsAreTakenAsTheyAre) {
  auto task = Build(R"({"command":"python -c 'print(\"a b\")'","args":["x y","z"]})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->command, (std::vector<std::string>{"python", "-c", "print(\"a b\")"}));
  EXPECT_EQ(task->args, (std::vector<std::string>{"x y", "z"}));
  EXPECT_FALSE(task->container.has_value());
}

TEST_F(LaunchSpec, AnImageMakesAContainerWithItsOwnEntryPointUnlessOneIsNamed) {
  auto task = Build(R"({"image":"lab/train:1","args":"--fast","imagePullPolicy":"Always",
      "compute":{"largeShmRequest":true,"cpuMemoryLimit":"2Gi","cpuCoreLimit":1.5},
      "security":{"runAsUid":1000,"runAsGid":100,"supplementalGroups":"7,8"}})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->container->image, "lab/train:1");
  EXPECT_EQ(task->container->pull, engine::PullPolicy::kAlways);
  EXPECT_EQ(task->container->shm, Mebibytes(2048));
  EXPECT_TRUE(task->command.empty());
  EXPECT_EQ(task->args, std::vector<std::string>{"--fast"});
  EXPECT_EQ(task->account->uid, 1000U);
  EXPECT_EQ(task->account->groups, (std::vector<std::uint32_t>{7, 8}));
  EXPECT_EQ(task->limits.memory, Mebibytes(2048));
  EXPECT_EQ(task->limits.cpu, MilliCpu(1500));
}

TEST_F(LaunchSpec, ATaskKeepsAsMuchOfItsLogAsItsSpecAsksFor) {
  EXPECT_EQ(Build(R"({"command":"true"})")->limits.log, Mebibytes(64));
  EXPECT_EQ(Build(R"({"command":"true","logLimit":"2Gi"})")->limits.log, Mebibytes(2048));
}

TEST_F(LaunchSpec, CapabilitiesGoByOneName) {
  auto task = Build(R"({"image":"a","security":{"capabilities":["cap_sys_ptrace"]}})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->container->add_capabilities, std::vector<std::string>{"SYS_PTRACE"});
}

TEST_F(LaunchSpec, APartOfAGpuHasItsLimitAndItsShareOfTime) {
  auto task = Build(R"({"command":"x","compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion",
      "gpuPortionRequest":0.25,"gpuPortionLimit":0.8,"gpuCompute":"strict"}})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->gpus[0].memory, Mebibytes(10240));
  EXPECT_EQ(task->gpus[0].limit, Mebibytes(32768));
  EXPECT_EQ(task->gpus[0].weight, 25);
  EXPECT_EQ(task->gpus[0].time, engine::GpuTime::kStrict);
  auto sized = Build(R"({"command":"x","compute":{"gpuDevicesRequest":1,"gpuRequestType":"memory",
      "gpuMemoryRequest":"4Gi","gpuMemoryLimit":"10Gi"}})");
  ASSERT_TRUE(sized.has_value());
  EXPECT_EQ(sized->gpus[0].limit, Mebibytes(10240));
  EXPECT_EQ(sized->gpus[0].weight, 0) << "time is shared only when asked";
}

TEST_F(LaunchSpec, APartAskedForBySizeHasThatSize) {
  auto task = Build(R"({"command":"x","compute":{"gpuDevicesRequest":1,"gpuRequestType":"memory",
      "gpuMemoryRequest":"5000Mi","gpuCompute":"interactive"}})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->gpus[0].part, MilliGpu(123)) << "of 40 GiB, rounded up";
  EXPECT_EQ(task->gpus[0].memory, Mebibytes(5000));
  EXPECT_EQ(task->gpus[0].time, engine::GpuTime::kInteractive);
}

TEST_F(LaunchSpec, AWholeGpuIsNeitherLimitedNorShared) {
  auto task = Build(R"({"command":"x","compute":{"gpuDevicesRequest":1,"gpuCompute":"fair"}})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->gpus[0].limit, Mebibytes(0));
  EXPECT_EQ(task->gpus[0].time, engine::GpuTime::kFree);
}

TEST_F(LaunchSpec, WorkKnowsItsNameItsGpusAndItsAttempt) {
  auto task = Build(R"({"command":"x","compute":{"gpuDevicesRequest":2},
      "environmentVariables":[{"name":"EPOCHS","value":"3"},{"name":"JOB_NAME","value":"mine"}]})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(Variable(*task, "RUNAI_JOB_NAME"), "job1");
  EXPECT_EQ(Variable(*task, "RUNAI_PROJECT"), "vision");
  EXPECT_EQ(Variable(*task, "GPUYARD_BASE_URL"), "/vision/job1/");
  EXPECT_EQ(Variable(*task, "RUNAI_NUM_OF_GPUS"), "2");
  EXPECT_EQ(Variable(*task, "NODE_NAME"), "node0");
  EXPECT_EQ(Variable(*task, "GPUYARD_ATTEMPT"), "1");
  EXPECT_EQ(Variable(*task, "GPUYARD_LAST_END"), "");
  EXPECT_EQ(Variable(*task, "EPOCHS"), "3");
  EXPECT_EQ(Variable(*task, "JOB_NAME"), "mine");
  EXPECT_EQ(Variable(*task, "RANK"), "(not set)");
  ASSERT_EQ(task->gpus.size(), 2U);
  EXPECT_EQ(task->gpus[0].memory, Mebibytes(40960));
}

TEST_F(LaunchSpec, AProgramThatLogsFindsTheRunOfItsWorkload) {
  auto task = Build(R"({"command":"x"})");
  ASSERT_TRUE(task.has_value());
  std::string id = FormatUuid(id_.value);
  EXPECT_EQ(Variable(*task, "MLFLOW_RUN_CONTEXT"), "{\"gpuyard.workload\":\"" + id + "\"}");
  std::erase(id, '-');
  EXPECT_EQ(Variable(*task, "GPUYARD_RUN_ID"), id);
  EXPECT_EQ(Variable(*task, "GPUYARD_PROJECT"), "vision");
}

TEST_F(LaunchSpec, ScriptsWrittenForSlurmFindTheirVariables) {
  auto task = Build(R"({"command":"x","workingDir":"/home/ann","compute":{"cpuCoreRequest":1.5},
      "array":{"id":"a1","index":3,"size":9}})");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(Variable(*task, "SLURM_JOB_ID"), FormatUuid(id_.value));
  EXPECT_EQ(Variable(*task, "SLURM_JOB_NAME"), "job1");
  EXPECT_EQ(Variable(*task, "SLURM_SUBMIT_DIR"), "/home/ann");
  EXPECT_EQ(Variable(*task, "SLURM_CPUS_PER_TASK"), "2");
  EXPECT_EQ(Variable(*task, "SLURM_ARRAY_JOB_ID"), "a1");
  EXPECT_EQ(Variable(*task, "SLURM_ARRAY_TASK_ID"), "3");
  auto plain = Build(R"({"command":"x"})");
  EXPECT_EQ(Variable(*plain, "SLURM_CPUS_PER_TASK"), "(not set)");
  EXPECT_EQ(Variable(*plain, "SLURM_ARRAY_TASK_ID"), "(not set)");
}

TEST_F(LaunchSpec, ASecondAttemptKnowsHowTheFirstEnded) {
  ASSERT_TRUE(Build(R"({"command":"x","backoffLimit":1})").has_value());
  yard_.Run(id_);
  yard_.End(id_, EndCause::kOutOfMemory, std::nullopt);
  auto task = BuildTask(*yard_.state(), *yard_.AttemptOf(id_), 0, context_);
  EXPECT_EQ(Variable(*task, "GPUYARD_ATTEMPT"), "2");
  EXPECT_EQ(Variable(*task, "GPUYARD_LAST_END"), "OutOfMemory");
}

TEST_F(LaunchSpec, RanksFindEachOther) {
  auto task = Build(R"({"command":"x","numWorkers":3})", 2);
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(Variable(*task, "RANK"), "2");
  EXPECT_EQ(Variable(*task, "LOCAL_RANK"), "2");
  EXPECT_EQ(Variable(*task, "WORLD_SIZE"), "3");
  EXPECT_EQ(Variable(*task, "MASTER_ADDR"), "127.0.0.1");
  auto first = BuildTask(*yard_.state(), *yard_.AttemptOf(id_), 0, context_);
  EXPECT_EQ(Variable(*task, "MASTER_PORT"), Variable(*first, "MASTER_PORT"));
}

TEST_F(LaunchSpec, RanksInContainersFindEachOtherByName) {
  auto task = Build(R"({"image":"a:1","command":"x","numWorkers":2})", 1);
  ASSERT_TRUE(task.has_value()) << task.error().message;
  EXPECT_EQ(Variable(*task, "MASTER_ADDR"), engine::HostName(task->title, 0));
  EXPECT_EQ(task->together, (std::vector<std::int32_t>{0, 1}));
  auto alone = Build(R"({"image":"a:1","command":"x"})");
  ASSERT_TRUE(alone.has_value()) << alone.error().message;
  EXPECT_TRUE(alone->together.empty());
}

TEST_F(LaunchSpec, SecretsComeFromTheVaultAndAreMarked) {
  MakeSecret("hub", R"({"password":"s3cret"})");
  auto task = Build(R"({"command":"x",
      "environmentVariables":[{"name":"TOKEN","secret":{"name":"hub","key":"password"}}],
      "storage":{"secretVolume":[{"secret":"hub","mountPath":"/etc/hub"}]}})");
  ASSERT_TRUE(task.has_value()) << task.error().message;
  auto token = std::ranges::find(task->variables, "TOKEN", &engine::Variable::name);
  EXPECT_EQ(token->value, "s3cret");
  EXPECT_TRUE(token->secret);
  auto file = std::ranges::find(task->mounts, "/etc/hub/password", &engine::Mount::target);
  ASSERT_NE(file, task->mounts.end());
  EXPECT_EQ(file->kind, engine::MountKind::kFile);
  EXPECT_EQ(file->source, "s3cret");
}

// The store may hold what an older version took: the door is not the only place that looks.
TEST_F(LaunchSpec, ControlCharactersInPathsAndNamesAreRefusedAtLaunch) {
  for (std::string spec :
       {R"("storage":{"emptyDirVolume":[{"path":"/a\u001f/etc"}]})",
        R"("storage":{"nfs":[{"server":"h","path":"/\u0001","mountPath":"/a"}]})",
        R"("environmentVariables":[{"name":"A\u001fB","value":"x"}])",
        R"("workingDir":"/a\u001f")"}) {
    auto task = Build(R"({"command":"x",)" + spec + "}");
    ASSERT_FALSE(task.has_value()) << spec;
    EXPECT_EQ(task.error().code, Code::kInvalid) << spec;
  }
}

TEST_F(LaunchSpec, AMissingSecretIsNamed) {
  auto task = Build(R"({"command":"x",
      "environmentVariables":[{"name":"T","secret":{"name":"nope","key":"k"}}]})");
  ASSERT_FALSE(task.has_value());
  EXPECT_NE(task.error().message.find("'nope'"), std::string::npos);
}

TEST_F(LaunchSpec, AVolumeThatMustBeThereIsNotMade) {
  auto task = Build(R"({"command":"x","storage":{"pvc":[
      {"claimName":"data","path":"/data","existingPvc":true},
      {"claimName":"fresh","path":"/fresh","existingPvc":false}]}})");
  ASSERT_TRUE(task.has_value()) << task.error().message;
  ASSERT_EQ(task->mounts.size(), 2U);
  EXPECT_TRUE(task->mounts[0].must_exist);
  EXPECT_FALSE(task->mounts[1].must_exist);
}

TEST_F(LaunchSpec, AVolumeLiesWhereAnAdministratorHasBoundIt) {
  auto task = Build(R"({"command":"x","storage":{"pvc":[
      {"claimName":"bound","path":"/data","existingPvc":true},
      {"claimName":"far","path":"/far","existingPvc":true}]}})");
  ASSERT_TRUE(task.has_value()) << task.error().message;
  ASSERT_EQ(task->mounts.size(), 2U);
  EXPECT_EQ(task->mounts[0].kind, engine::MountKind::kHostPath);
  EXPECT_EQ(task->mounts[0].source, "/srv/data");
  EXPECT_FALSE(task->mounts[0].read_only);
  EXPECT_EQ(task->mounts[1].kind, engine::MountKind::kNfs);
  EXPECT_EQ(task->mounts[1].source, "nas:/export");
  EXPECT_TRUE(task->mounts[1].read_only);
}

TEST_F(LaunchSpec, DataSourcesBecomeMounts) {
  auto task = Build(R"({"command":"x","storage":{
      "hostPath":[{"path":"/data","mountPath":"/mnt/data","readOnly":true}],
      "nfs":[{"server":"nas","path":"/export","mountPath":"/nas"}],
      "pvc":[{"claimName":"home","path":"/home/ann"}],
      "emptyDirVolume":[{"path":"/tmp/x"}]}})");
  ASSERT_TRUE(task.has_value());
  ASSERT_EQ(task->mounts.size(), 4U);
  EXPECT_EQ(task->mounts[0].source, "/data");
  EXPECT_TRUE(task->mounts[0].read_only);
  EXPECT_EQ(task->mounts[1].source, "nas:/export");
  EXPECT_EQ(task->mounts[2].kind, engine::MountKind::kVolume);
  EXPECT_EQ(task->mounts[2].source, "vision.home");
  EXPECT_EQ(task->mounts[3].kind, engine::MountKind::kScratch);
}

TEST_F(LaunchSpec, OnlyOutputsThatAreSeenElsewhereAreMounts) {
  auto task = Build(R"({"command":"x","storage":{"outputs":[
      {"name":"all"},{"name":"part","path":"ckpt"},{"name":"far","tag":"v1","path":"/far"}]}})");
  ASSERT_TRUE(task.has_value()) << task.error().message;
  ASSERT_EQ(task->mounts.size(), 1U);
  EXPECT_EQ(task->mounts[0].kind, engine::MountKind::kOutput);
  EXPECT_EQ(task->mounts[0].source, "2");
  EXPECT_EQ(task->mounts[0].target, "/far");
  EXPECT_FALSE(task->mounts[0].read_only);
}

TEST_F(LaunchSpec, ADataSetIsMadeReadyAndItsPlaceIsInAVariable) {
  std::string asked;
  context_.data_view = [&](ProjectId, const DataSetMount& mount) -> Result<std::string> {
    asked += mount.name + ":" + mount.tag + mount.version + " ";
    return "7/abc";
  };
  auto task = Build(R"({"command":"x","storage":{"dataSets":[
      {"name":"my-set.1","tag":"v2"},{"name":"other","mountPath":"/in"}]}})");
  ASSERT_TRUE(task.has_value()) << task.error().message;
  EXPECT_EQ(asked, "my-set.1:v2 other: ");
  ASSERT_EQ(task->mounts.size(), 2U);
  EXPECT_EQ(task->mounts[0].kind, engine::MountKind::kDataSet);
  EXPECT_EQ(task->mounts[0].source, "7/abc");
  EXPECT_EQ(task->mounts[0].target, "/data/my-set.1");
  EXPECT_TRUE(task->mounts[0].read_only);
  EXPECT_EQ(task->mounts[1].target, "/in");
  auto place = std::ranges::find(task->variables, "GPUYARD_DATA_MY_SET_1", &engine::Variable::name);
  ASSERT_NE(place, task->variables.end());
  EXPECT_EQ(place->value, "/data/my-set.1");
}

TEST_F(LaunchSpec, WithoutDataSetsWorkThatNamesOneIsRefused) {
  auto task = Build(R"({"command":"x","storage":{"dataSets":[{"name":"images"}]}})");
  ASSERT_FALSE(task.has_value());
  EXPECT_EQ(task.error().message, "this server keeps no data sets");
}

TEST_F(LaunchSpec, NoSpecReachesTheVolumesOfAnotherProject) {
  auto task = Build(R"({"command":"x","storage":{
      "dataVolume":[{"name":"other.home","mountPath":"/x"}]}})");
  ASSERT_FALSE(task.has_value());
  EXPECT_EQ(task.error().message, "data volumes are not offered");
}

TEST_F(LaunchSpec, AGroupWithoutAUserIsRefusedRatherThanRunAsRoot) {
  auto task = Build(R"({"image":"lab/train:1","security":{"runAsGid":100}})");
  ASSERT_FALSE(task.has_value());
  EXPECT_EQ(task.error().message, "runAsGid is given without runAsUid");
}

TEST_F(LaunchSpec, DownloadsAndStepsHappenBeforeTheCommand) {
  auto task =
      Build(R"({"command":"python train.py","steps":[{"name":"get","command":["echo","it's"]}],
      "storage":{"git":[{"repository":"https://lab/x.git","branch":"main","path":"/src"}]}})");
  ASSERT_TRUE(task.has_value());
  ASSERT_EQ(task->command.size(), 4U);
  EXPECT_EQ(task->command[0], "/bin/sh");
  EXPECT_NE(task->command[2].find("git clone --branch 'main' -- 'https://lab/x.git' '/src'"),
            std::string::npos)
      << task->command[2];
  EXPECT_NE(task->command[2].find("'echo' 'it'\\''s'"), std::string::npos);
  EXPECT_EQ(task->args, (std::vector<std::string>{"python", "train.py"}));
}

constexpr std::string_view kOwner = "system";  // as the fixture submits

// A machine with some accounts, and an owner of work who has one of them.
class NativeWork : public LaunchSpec {
 protected:
  NativeWork() {
    context_.native = NativeTasks::kOwner;
    context_.accounts.server_uid = 2000;
    context_.accounts.find = [this](const std::string& name) -> Result<engine::Account> {
      auto found = uids_.find(name);
      if (found == uids_.end()) return Fail(Code::kNotFound, "no");
      return engine::Account{.uid = found->second, .gid = found->second, .groups = {77}};
    };
    Add({.email = std::string(kOwner)});
  }
  void Add(const UserDraft& draft) {
    ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(CreateUser(txn, draft)); }));
  }
  void Assign(std::string_view email, std::string account) {
    UserId id = yard_.state()->UserByEmail(email)->id;
    ASSERT_TRUE(
        yard_.Do([&](Txn& txn) { return Outcome(UpdateUser(txn, id, {.unix_name = account})); }));
  }
  // The uid that the owner's plain work runs as, or why it does not.
  std::string RunsAs() {
    auto task = Build(R"({"command":"x"})");
    return task ? std::to_string(task->account->uid) : task.error().message;
  }

  std::map<std::string, std::uint32_t> uids_{
      {"root", 0}, {"daemon", 1}, {"system", 1234}, {"gpuyard", 2000}, {"carol", 1500}};
};

TEST_F(NativeWork, RunsAsItsOwnerOrNotAtAll) {
  EXPECT_EQ(RunsAs(), "1234");
  uids_.erase("system");
  EXPECT_NE(RunsAs().find("no account 'system'"), std::string::npos);
  context_.native = NativeTasks::kOff;
  EXPECT_NE(RunsAs().find("without an image"), std::string::npos);
}

TEST_F(NativeWork, NeverRunsAsTheSystemOrTheServerWhateverWasStored) {
  for (std::string_view account : {"root", "daemon", "gpuyard", "0", "../x"}) {
    Assign(kOwner, std::string(account));
    EXPECT_NE(RunsAs().find("runs nobody's work"), std::string::npos) << account;
  }
  uids_["system"] = 0;
  Assign(kOwner, "system");
  EXPECT_NE(RunsAs().find("runs nobody's work"), std::string::npos);
}

TEST_F(NativeWork, RunsOnlyAsTheAccountsThatMayRunWork) {
  context_.accounts.names = {"carol"};
  EXPECT_NE(RunsAs().find("not among native-accounts"), std::string::npos);
  context_.accounts.groups = {77};
  EXPECT_EQ(RunsAs(), "1234");
}

TEST_F(NativeWork, HasNoAccountIfNobodyAssignedOne) {
  Assign(kOwner, "");
  EXPECT_NE(RunsAs().find("has no account on the machine"), std::string::npos);
}

TEST_F(NativeWork, TheFirstOwnerKeepsAnAccountThatALaterAddressNames) {
  Add({.email = "system@elsewhere.org"});
  EXPECT_EQ(RunsAs(), "1234");
  EXPECT_EQ(AccountNameOf(*yard_.state()->UserByEmail("system@elsewhere.org")), std::nullopt);
}

TEST_F(LaunchSpec, WithoutAnAccountEachPersonHasAUserIdThatNoAccountHas) {
  context_.native = NativeTasks::kIsolated;
  auto nobody = Build(R"({"command":"x"})");
  ASSERT_FALSE(nobody.has_value());  // the system itself is no person
  ASSERT_TRUE(
      yard_.Do([](Txn& txn) { return Outcome(CreateUser(txn, {.email = SystemPrincipal().id})); }));
  auto first = Build(R"({"command":"x"})");
  ASSERT_TRUE(first.has_value()) << first.error().message;
  ASSERT_TRUE(first->account.has_value());
  EXPECT_GE(first->account->uid, 0x7800'0000U);
  EXPECT_LE(first->account->uid, 0x7fff'ffffU);
  EXPECT_EQ(first->account->uid, first->account->gid);
  EXPECT_EQ(Build(R"({"command":"x"})")->account->uid, first->account->uid);
}

TEST_F(LaunchSpec, TheServersOwnAccountIsForOnePerson) {
  context_.native = NativeTasks::kSelfAlone;
  ASSERT_TRUE(Build(R"({"command":"x"})").has_value());
  for (const char* email : {"one@lab.org", "two@lab.org"})
    ASSERT_TRUE(yard_.Do([&](Txn& txn) { return Outcome(CreateUser(txn, {.email = email})); }));
  auto refused = Build(R"({"command":"x"})");
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("one user"), std::string::npos);
}

}  // namespace
}  // namespace yard::control
