#include "engine/local/containers/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TaskSpec Task() {
  TaskSpec spec;
  spec.container = Container{.image = "registry.lab/team/net:7"};
  spec.command = {"trian.py"};
  spec.working_dir = "/code";
  spec.ports = {8888};
  spec.mounts = {{MountKind::kHostPath, "/data/x", "/mnt/x"}};
  spec.account = Account{.uid = 1234, .gid = 55};
  return spec;
}

std::string Explained(std::string said) {
  return Explain({Code::kInternal, std::move(said)}, Task()).message;
}

// The complaints are those of podman 4.3 and docker 20.10.
TEST(Explain, NamesTheImageThatDoesNotExist) {
  EXPECT_THAT(Explained("manifest for registry.lab/team/net:7 not found: manifest unknown"),
              HasSubstr("there is no image registry.lab/team/net:7"));
  EXPECT_THAT(Explained("registry.lab/team/net:7: image not known"),
              HasSubstr("there is no image registry.lab/team/net:7"));
}

TEST(Explain, NamesTheRegistryThatCannotBeReached) {
  EXPECT_THAT(Explained("pinging container registry registry.lab: Get \"https://registry.lab/v2/\":"
                        " dial tcp: lookup registry.lab: no such host"),
              HasSubstr("the registry registry.lab of image registry.lab/team/net:7 cannot be "
                        "reached"));
}

TEST(Explain, SaysWhoMayNotHaveTheImage) {
  EXPECT_THAT(Explained("unauthorized: authentication required"), HasSubstr("anonymous users"));
}

TEST(Explain, NamesTheProgramAndTheFolderThatAreMissing) {
  EXPECT_THAT(Explained("exec: \"trian.py\": executable file not found in $PATH"),
              AllOf(HasSubstr("cannot run 'trian.py'"), HasSubstr("registry.lab/team/net:7")));
  EXPECT_THAT(Explained("workdir \"/code\" does not exist on container x"),
              HasSubstr("no folder '/code'"));
}

TEST(Explain, NamesMountPortUserAndGpu) {
  EXPECT_THAT(Explained("statfs /data/x: no such file or directory"),
              HasSubstr("cannot mount '/data/x' for '/mnt/x'"));
  EXPECT_THAT(Explained("listen tcp 0.0.0.0:8888: bind: address already in use"),
              HasSubstr("port 8888 is in use"));
  EXPECT_THAT(Explained("unable to find user joe: no matching entries in passwd file"),
              HasSubstr("does not know user 1234:55"));
  EXPECT_THAT(Explained("unresolvable CDI devices nvidia.com/gpu=0"), HasSubstr("nvidia-ctk"));
}

TEST(Explain, DoesNotBlameTheProgramForLimitsOfTheMachine) {
  for (const char* said :
       {"runc: error during container init: error setting cgroup config for procHooks process: "
        "openat2 /sys/fs/cgroup/x/pids.max: no such file or directory: OCI runtime attempted to "
        "invoke a command that was not found",
        "runc: error setting rlimits for ready process: error setting rlimit type 6: operation not "
        "permitted: OCI permission denied"})
    EXPECT_THAT(Explained(said), HasSubstr("limits could not be set on this machine"));
}

TEST(Explain, PassesOnWhatNobodyHasMet) {
  EXPECT_THAT(Explained("the moon is full"), HasSubstr("(the daemon said: the moon is full)"));
}

}  // namespace
}  // namespace yard::engine::containers
