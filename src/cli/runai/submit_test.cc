#include "cli/runai/submit.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/runai/flags.h"

namespace yard::cli::runai {
namespace {

json::value BodyOf(const Submission& work) {
  Result<std::vector<Draft>> drafts = DraftsOf(work, {"7", "c"}, "a");
  EXPECT_TRUE(drafts) << drafts.error().message;
  return *ParseJson(drafts->at(0).body);
}

OldSubmit Old(std::string name) {
  OldSubmit said;
  said.name = std::move(name);
  said.work.spec.Set("image", "ubuntu");
  return said;
}

TEST(OldSubmit, CommandReplacesTheEntryPointAndWordsAloneAreItsArguments) {
  OldSubmit said = Old("a");
  said.words = {"bash", "-c", "echo 1"};
  ASSERT_TRUE(FinishOld(said, {}));
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.args"), "bash -c 'echo 1'");
  EXPECT_TRUE(At(BodyOf(said.work), "spec.command").is_null());
  OldSubmit replaced = Old("a");
  replaced.replaces_command = true;
  replaced.words = {"bash", "-c", "echo 1"};
  ASSERT_TRUE(FinishOld(replaced, {}));
  EXPECT_EQ(TextAt(BodyOf(replaced.work), "spec.command"), "bash -c 'echo 1'");
  EXPECT_TRUE(At(BodyOf(replaced.work), "spec.args").is_null());
}

TEST(OldSubmit, ImagesArePulledForEveryStartUnlessTheyWereBuiltHere) {
  OldSubmit said = Old("a");
  ASSERT_TRUE(FinishOld(said, {}));
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.imagePullPolicy"), "Always");
  OldSubmit local = Old("a");
  local.work.spec.Set("image", "localhost/lab:1");
  ASSERT_TRUE(FinishOld(local, {}));
  EXPECT_TRUE(At(BodyOf(local.work), "spec.imagePullPolicy").is_null());
}

TEST(OldSubmit, WholeGpusPartsAndMemoryExcludeEachOther) {
  OldSubmit half = Old("a");
  half.gpu = "0.5";
  ASSERT_TRUE(FinishOld(half, {}));
  EXPECT_EQ(TextAt(BodyOf(half.work), "spec.compute.gpuPortionRequest"), "0.5");
  OldSubmit memory = Old("a");
  memory.gpu_memory = "5G";
  ASSERT_TRUE(FinishOld(memory, {}));
  EXPECT_EQ(TextAt(BodyOf(memory.work), "spec.compute.gpuMemoryRequest"), "5G");
  OldSubmit both = Old("a");
  both.gpu = "1";
  both.gpu_memory = "5G";
  EXPECT_FALSE(FinishOld(both, {}));
  OldSubmit little = Old("a");
  little.gpu_memory = "50M";
  EXPECT_FALSE(FinishOld(little, {})) << "at least 100 MB";
}

TEST(OldSubmit, InteractiveIsAWorkspaceThatIsNotStartedAgain) {
  OldSubmit said = Old("a");
  said.interactive = true;
  said.preemptible = true;
  ASSERT_TRUE(FinishOld(said, {}));
  EXPECT_EQ(said.work.kind, WorkKind::kWorkspace);
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.backoffLimit"), "0");
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.priorityClass"), "interactive-preemptible");
}

TEST(OldSubmit, VolumesNameFoldersOrNfsServers) {
  OldSubmit said = Old("a");
  said.volumes = {"/data:/data:ro", "/export:/mnt:nas"};
  ASSERT_TRUE(FinishOld(said, {}));
  json::value body = BodyOf(said.work);
  EXPECT_EQ(TextAt(At(body, "spec.storage.hostPath").at(0), "readOnly"), "true");
  EXPECT_EQ(TextAt(At(body, "spec.storage.nfs").at(0), "server"), "nas");
}

TEST(OldSubmit, WithoutANameOneIsMade) {
  OldSubmit said = Old("");
  ASSERT_TRUE(FinishOld(said, {}));
  EXPECT_EQ(TextAt(BodyOf(said.work), "name"), "job");
  EXPECT_EQ(TextAt(BodyOf(said.work), "useGivenNameAsPrefix"), "true");
  OldSubmit none;
  EXPECT_FALSE(FinishOld(none, {})) << "an image is required";
}

TEST(OldSubmit, RunAsUserIsTheSubmitter) {
  OldSubmit said = Old("a");
  said.run_as_user = true;
  ASSERT_TRUE(FinishOld(said, {1000, 100}));
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.security.runAsUid"), "1000");
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.security.runAsGid"), "100");
}

TEST(NewSubmit, APartOfAGpuIsOfOneDeviceUnlessSaid) {
  RunaiSubmit said;
  said.name = "a";
  said.work.kind = WorkKind::kWorkspace;
  said.work.spec.Set("image", "ubuntu");
  said.work.spec.Set("compute.gpuPortionRequest", 0.25);
  ASSERT_TRUE(FinishNew(said, {}));
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.compute.gpuDevicesRequest"), "1");
  EXPECT_EQ(TextAt(BodyOf(said.work), "spec.compute.gpuRequestType"), "portion");
}

const SpecFlag& NewFlag(std::string_view flags) {
  for (const SpecFlag& flag : NewFlags()) {
    if (flag.flags == flags) return flag;
  }
  ADD_FAILURE() << flags;
  return NewFlags()[0];
}

TEST(NewSubmit, RepeatedFlagsAddToEachOther) {
  RunaiSubmit said;
  said.name = "a";
  said.work.spec.Set("image", "ubuntu");
  ASSERT_TRUE(SetField(said.work.spec, NewFlag("--capability"), "NET_RAW"));
  ASSERT_TRUE(SetField(said.work.spec, NewFlag("--capability"), "SYS_PTRACE,KILL"));
  said.extended = {"lab.org/fpga=1", "lab.org/nic=2"};
  ASSERT_TRUE(FinishNew(said, {}));
  json::value body = BodyOf(said.work);
  EXPECT_EQ(TextAt(body, "spec.security.capabilities"), "NET_RAW,SYS_PTRACE,KILL");
  EXPECT_EQ(At(body, "spec.compute.extendedResources").as_array().size(), 2U);
}

RunaiSubmit Distributed() {
  RunaiSubmit said;
  said.name = "a";
  said.work.kind = WorkKind::kDistributed;
  said.work.spec.Set("image", "ubuntu");
  said.work.spec.Append("storage.pvc", {{{"claimName", "data"}}});
  return said;
}

TEST(NewSubmit, AMasterMayLackTheVolumesOrBeLeftOut) {
  RunaiSubmit bare = Distributed();
  bare.master_no_pvcs = true;
  ASSERT_TRUE(FinishNew(bare, {}));
  json::value body = BodyOf(bare.work);
  EXPECT_EQ(TextAt(body, "masterSpecSameAsWorker"), "false");
  EXPECT_TRUE(At(body, "masterSpec.storage.pvc").is_null());
  EXPECT_FALSE(At(body, "spec.storage.pvc").is_null());
  RunaiSubmit none = Distributed();
  none.no_master = true;
  ASSERT_TRUE(FinishNew(none, {}));
  EXPECT_EQ(TextAt(BodyOf(none.work), "masterSpecSameAsWorker"), "false");
  EXPECT_TRUE(At(BodyOf(none.work), "masterSpec").is_null());
  none.master_no_pvcs = true;
  EXPECT_FALSE(FinishNew(none, {})) << "there is no master to take volumes from";
}

TEST(OldSubmit, CredentialsOfARepositoryGoIntoItsUrl) {
  const CsvFlag* git = nullptr;
  const CsvFlag* s3 = nullptr;
  for (const CsvFlag& flag : OldCsvFlags()) {
    if (flag.flags == "--git-sync") git = &flag;
    if (flag.flags == "--s3") s3 = &flag;
  }
  Result<Item> item =
      ReadItem(*git, "source=https://lab/x.git,username=ann,password=p@s,target=/src");
  ASSERT_TRUE(item) << item.error().message;
  EXPECT_EQ(item->Text("repository"), "https://ann:p%40s@lab/x.git");
  EXPECT_EQ(item->Text("password"), "");
  EXPECT_FALSE(ReadItem(*git, "source=git@lab:x.git,username=ann,password=p"));
  Result<Item> key = ReadItem(*s3, "bucket=b,key=AKIA,target=/s3");
  ASSERT_FALSE(key);
  EXPECT_NE(key.error().details.find("secret="), std::string::npos);
}

const CsvFlag& NewCsv(std::string_view flags) {
  for (const CsvFlag& flag : NewCsvFlags()) {
    if (flag.flags == flags) return flag;
  }
  ADD_FAILURE() << flags;
  return NewCsvFlags()[0];
}

TEST(CsvFlags, KeysBecomeTheApisFields) {
  Result<Item> claim = ReadItem(NewCsv("--existing-pvc"), "claimname=data,path=/data");
  EXPECT_EQ(claim->Text("claimName"), "data");
  Result<Item> host = ReadItem(NewCsv("--host-path"), "path=/a,mount=/b");
  Spec spec;
  spec.Append("x", *host);
  EXPECT_EQ(TextAt(At(spec.ToJson(), "x").at(0), "readOnly"), "true");
  Result<Item> writable = ReadItem(NewCsv("--host-path"), "path=/a,mount=/b,readwrite");
  Spec other;
  other.Append("x", *writable);
  EXPECT_EQ(TextAt(At(other.ToJson(), "x").at(0), "readOnly"), "false");
  EXPECT_FALSE(ReadItem(NewCsv("--nfs"), "host=x"));
}

}  // namespace
}  // namespace yard::cli::runai
