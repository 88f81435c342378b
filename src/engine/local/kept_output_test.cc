// What tasks leave in their folders, and who reads it.
#include "engine/local/kept_output.h"

#include <gmock/gmock.h>

#include "engine/local/local_host.h"

namespace yard::engine::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(KeptPlaces, AreTheOutputFolderAndWhatIsSaved) {
  const TaskFolder folder("/root", {});
  TaskSpec spec;
  spec.mounts = {{MountKind::kScratch, "", "/scratch"}, {MountKind::kOutput, "0", "/work/ckpt"}};
  EXPECT_EQ(*KeptPlaceOf(spec, folder, "a/b"), (KeptPlace{"work", "a/b"}));
  EXPECT_EQ(*KeptPlaceOf(spec, folder, ""), (KeptPlace{"work", ""}));
  EXPECT_EQ(*KeptPlaceOf(spec, folder, "/work/ckpt"), (KeptPlace{"outputs/0", ""}));
  EXPECT_EQ(*KeptPlaceOf(spec, folder, "/work/ckpt/x"), (KeptPlace{"outputs/0", "x"}));
  EXPECT_EQ(*KeptPlaceOf(spec, folder, folder.File("work") + "/x"), (KeptPlace{"work", "x"}));
  for (const char* path : {"/work/ckpts", "/scratch/x", "/etc/passwd", "/gpuyard/output/x"})
    EXPECT_EQ(KeptPlaceOf(spec, folder, path).error().code, Code::kPrecondition) << path;
  spec.container = Container{};
  EXPECT_EQ(*KeptPlaceOf(spec, folder, "/gpuyard/output/x"), (KeptPlace{"work", "x"}));
}

TEST(KeptPlaces, HavePlainNames) {
  const TaskFolder folder("/nowhere", {});
  for (const char* name : {"", ".", "..", "a/b", "../x", ".hidden"})
    EXPECT_EQ(MakeOutputPath(folder, {MountKind::kOutput, name, "/x"}).error().code,
              Code::kInvalid);
}

class KeptOutputTest : public Conformance {
 protected:
  struct Read {
    std::string bytes;
    std::int32_t code = 0;
  };
  Read ReadKept(const TaskKey& key, const std::string& path) {
    Result<std::unique_ptr<Session>> session = engine().files()->ReadFiles(key, path);
    EXPECT_TRUE(session) << session.error().message;
    Read read;
    read.bytes = ReadAll(**session);
    read.code = *(*session)->Wait();
    return read;
  }
  TaskKey Ended(const std::string& script) {
    const TaskKey key = LaunchShell(script);
    EXPECT_EQ(WaitEnd(key).cause, EndCause::kCompleted);
    return key;
  }
};

INSTANTIATE_TEST_SUITE_P(Native, KeptOutputTest,
                         ::testing::Values(Subject{"native",
                                                   [] { return std::make_unique<LocalHost>(); }}));

TEST_P(KeptOutputTest, IsReadAfterTheEndAndUntilForget) {
  const TaskKey key = Ended("mkdir $GPUYARD_OUTPUT/sub; echo weights > $GPUYARD_OUTPUT/sub/model");
  EXPECT_THAT(ReadKept(key, "").bytes, AllOf(HasSubstr("./sub/model"), HasSubstr("weights\n")));
  EXPECT_THAT(ReadKept(key, "sub/model").bytes, HasSubstr("weights\n"));
  EXPECT_EQ(ReadKept(key, "no/such").code, 1);
  engine().Forget(key);
  EXPECT_EQ(engine().files()->ReadFiles(key, "").error().code, Code::kNotFound);
}

TEST_P(KeptOutputTest, IsReadInAnotherLifeOfTheEngine) {
  const TaskKey key = Ended("echo kept > $GPUYARD_OUTPUT/f");
  Close();
  Open();
  EXPECT_THAT(ReadKept(key, "f").bytes, HasSubstr("kept\n"));
}

TEST_P(KeptOutputTest, IsListedWithoutItsContents) {
  const TaskKey key = Ended("echo secret-content > $GPUYARD_OUTPUT/f");
  Result<std::unique_ptr<Session>> session = engine().files()->ListOutput(key, "");
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_THAT(ReadAll(**session), AllOf(HasSubstr("./f"), Not(HasSubstr("secret-content"))));
}

TEST_P(KeptOutputTest, NoLinkLeadsOutOfIt) {
  const TaskKey key = Ended(
      "cd $GPUYARD_OUTPUT; ln -s /etc etc; ln -s /etc/passwd p; mkdir in; ln -s ../../.. in/up");
  for (const char* path : {"etc/passwd", "in/up/spec", "../spec", "in/../../spec", "..", "etc/."}) {
    const Read read = ReadKept(key, path);
    EXPECT_EQ(read.code, 1) << path;
    EXPECT_THAT(read.bytes, Not(HasSubstr("root:"))) << path;
  }
  // Itself, not what it leads to.
  EXPECT_THAT(ReadKept(key, "p").bytes, AllOf(HasSubstr("/etc/passwd"), Not(HasSubstr("root:"))));
  EXPECT_THAT(ReadKept(key, "").bytes, AllOf(HasSubstr("./etc"), Not(HasSubstr("root:"))));
}

}  // namespace
}  // namespace yard::engine::testing
