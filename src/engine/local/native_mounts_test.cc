// What the owner of a plain task can and cannot do with mounts, on a machine whose files are not
// all the owner's. Needs root, since only root mounts.
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "base/file.h"
#include "engine/local/local_host.h"

namespace yard::engine::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint32_t kOwner = 61'001;
constexpr std::uint32_t kOther = 61'002;

class NativeMounts : public Conformance {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root";
    Conformance::SetUp();
    char name[] = "/tmp/gyt-XXXXXX";
    place_ = ::mkdtemp(name);
    ::chmod(place_.c_str(), 0755);
    MakeFolder("own", kOwner, 0755);
    MakeFolder("closed", kOther, 0700);
    MakeFolder("machine", 0, 0755);
    Write(Path("own/file"), "mine");
  }
  void TearDown() override {
    if (::geteuid() != 0) return;
    Conformance::TearDown();
    fs::remove_all(place_);
  }

  std::string Path(const std::string& name) const { return place_ + "/" + name; }
  void MakeFolder(const std::string& name, std::uint32_t owner, mode_t mode) const {
    fs::create_directory(Path(name));
    ::chmod(Path(name).c_str(), mode);
    ASSERT_EQ(::chown(Path(name).c_str(), owner, owner), 0);
  }
  static void Write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  }

  TaskSpec Spec(const std::string& script, std::vector<Mount> mounts) const {
    TaskSpec spec = host().Shell(script);
    spec.account = Account{kOwner, kOwner, {}};
    spec.mounts = std::move(mounts);
    return spec;
  }
  static Mount Bind(const std::string& source, const std::string& target) {
    return {MountKind::kHostPath, source, target, false};
  }
  std::string Run(const std::string& script, std::vector<Mount> mounts) {
    const TaskKey key = Launch(Spec(script, std::move(mounts)));
    const TaskEnd end = WaitEnd(key);
    EXPECT_EQ(end.cause, EndCause::kCompleted) << end.message << WholeLog(key);
    return WholeLog(key);
  }
  // Why the task did not start.
  std::string Refusal(std::vector<Mount> mounts) {
    const TaskEnd end = WaitEnd(Launch(Spec("true", std::move(mounts))));
    EXPECT_EQ(end.cause, EndCause::kLaunchFailed);
    return end.message;
  }

  std::string place_;
};

INSTANTIATE_TEST_SUITE_P(Native, NativeMounts,
                         ::testing::Values(Subject{"native",
                                                   [] { return std::make_unique<LocalHost>(); }}));

TEST_P(NativeMounts, NoProgramOfTheOwnerRunsAsRoot) {
  const std::string program = Path("own/mount");
  Write(program, "#!/bin/sh\nid -u > " + Path("machine/proof") + "\n");
  ::chmod(program.c_str(), 0755);
  Refusal({Bind(program, "/usr/bin/mount"),
           {MountKind::kNfs, "127.0.0.1:/none", Path("own/nfs"), false}});
  EXPECT_FALSE(fs::exists(Path("machine/proof")));
}

TEST_P(NativeMounts, FoldersOfTheSystemAreNoPlaceForAMount) {
  for (const char* target :
       {"/", "/usr", "/usr/bin/mount", "//etc//x", "/proc/self", "/sys/fs/cgroup", "/dev/shm/x",
        "/run/x", "/var/lib/x", "/root", "/lib64"})
    EXPECT_THAT(Refusal({Bind(Path("own"), target)}), HasSubstr("a folder of the system"))
        << target;
  EXPECT_THAT(Refusal({Bind(Path("own"), "/tmp/../etc/x")}), HasSubstr("/tmp/../etc/x"));
}

TEST_P(NativeMounts, AFileOfTheMachineIsNotRemovedThroughARenamedFolder) {
  MakeFolder("own/a", kOwner, 0755);
  Write(Path("machine/precious"), "");
  const TaskKey key = Launch(Spec("mv " + Path("own/a") + " " + Path("own/b") + "; ln -s " +
                                      Path("machine") + " " + Path("own/a") + "; echo moved",
                                  {Bind(Path("own/file"), Path("own/a/precious"))}));
  WaitEnd(key);
  EXPECT_EQ(WholeLog(key), "moved\n");
  EXPECT_TRUE(fs::exists(Path("machine/precious")));
}

TEST_P(NativeMounts, NothingIsMadeWhereTheOwnerMayNotWrite) {
  const std::string target = Path("machine/below/point");
  Write(Path("machine/there"), "seen");
  EXPECT_EQ(Run("cat " + target + "/file " + Path("machine/there") + "; ls " + Path("machine"),
                {Bind(Path("own"), target)}),
            "mineseenbelow\nthere\n");
  const TaskKey key = Launch(Spec("echo ready; sleep 1000", {Bind(Path("own"), target)}));
  WaitLog(key, "ready");
  EXPECT_FALSE(fs::exists(Path("machine/below")));
  ASSERT_TRUE(engine().Stop(key, {}));
  WaitEnd(key);
}

TEST_P(NativeMounts, AFolderAtTheRootIsSeenByTheTaskAlone) {
  EXPECT_EQ(Run("cat /gyt-data/file /gyt-more/deep/file; ls -d /usr/bin /tmp; touch /gyt-x 2>&1 | "
                "grep -o Permission",
                {Bind(Path("own"), "/gyt-data"), Bind(Path("own"), "/gyt-more/deep")}),
            "minemine/tmp\n/usr/bin\nPermission\n");
  EXPECT_FALSE(fs::exists("/gyt-data"));
}

TEST_P(NativeMounts, AClosedFolderStaysClosed) {
  MakeFolder("closed/project", kOther, 0755);
  Write(Path("closed/project/thesis"), "secret");
  EXPECT_THAT(Refusal({Bind(Path("closed/project"), Path("own/point"))}),
              HasSubstr("Permission denied"));
  EXPECT_THAT(Refusal({Bind(Path("own"), Path("closed/project"))}), HasSubstr("Permission denied"));
}

TEST_P(NativeMounts, AFailureTellsNothingAboutAClosedFolder) {
  Write(Path("closed/there"), "");
  const std::string there = Refusal({Bind(Path("closed/there"), Path("own/point"))});
  const std::string missing = Refusal({Bind(Path("closed/gone!"), Path("own/point"))});
  EXPECT_EQ(there.substr(there.rfind(':')), missing.substr(missing.rfind(':')));
}

TEST_P(NativeMounts, NoSymbolicLinkIsFollowed) {
  fs::create_directory_symlink(Path("machine"), Path("own/link"));
  EXPECT_THAT(Refusal({Bind(Path("own"), Path("own/link/point"))}), HasSubstr("symbolic link"));
  EXPECT_THAT(Refusal({Bind(Path("own/link"), Path("own/point"))}), HasSubstr("symbolic link"));
  EXPECT_THAT(Refusal({Bind("/proc/self/cwd", Path("own/point"))}), HasSubstr("symbolic link"));
  EXPECT_TRUE(fs::is_empty(Path("machine")));
}

TEST_P(NativeMounts, ADataSetIsReadOnlyAndItsFolderStaysClosed) {
  const std::string all = dynamic_cast<const LocalHost&>(host()).options().data_sets;
  const std::string version(64, 'a');
  fs::create_directories(all + "/7/" + version);
  Write(all + "/7/" + version + "/f", "content");
  ::chmod(all.c_str(), 0700);
  EXPECT_EQ(Run("cat /data/in/f; touch /data/in/new 2>&1 | grep -o Read-only; ls " + all +
                    " 2>&1 | grep -o Permission",
                {{MountKind::kDataSet, "7/" + version, "/data/in", true}}),
            "contentRead-only\nPermission\n");
  EXPECT_THAT(Refusal({{MountKind::kDataSet, "7/../../etc", "/data/in", true}}),
              HasSubstr("no data set"));
}

TEST_P(NativeMounts, NeitherSetUserIdProgramsNorDevicesWorkInThem) {
  const std::string point = Path("own/point");
  EXPECT_THAT(Run("grep ' " + point + " ' /proc/self/mountinfo", {Bind(Path("machine"), point)}),
              HasSubstr("nosuid,nodev"));
}

TEST_P(NativeMounts, PointsOfTheOwnerAreMadeByTheOwnerAndGoWithTheTask) {
  EXPECT_EQ(Run("stat -c %u " + Path("own/new"), {Bind(Path("own/file"), Path("own/new/file"))}),
            "61001\n");
  EXPECT_FALSE(fs::exists(Path("own/new")));
}

TEST_P(NativeMounts, AMountInsideAMountDoesNotShowOnTheMachine) {
  MakeFolder("own/shared", kOwner, 0755);
  const std::string shared = Path("own/shared");
  ASSERT_EQ(::mount("gyt", shared.c_str(), "tmpfs", 0, "mode=0777"), 0);
  ASSERT_EQ(::mount(nullptr, shared.c_str(), nullptr, MS_SHARED, nullptr), 0);
  fs::create_directory(shared + "/inner");
  const TaskKey key =
      Launch(Spec("cat /gyt-data/inner/file; echo; sleep 1000",
                  {Bind(shared, "/gyt-data"), Bind(Path("own"), "/gyt-data/inner")}));
  WaitLog(key, "mine");
  EXPECT_FALSE(fs::exists(shared + "/inner/file"));
  ASSERT_TRUE(engine().Stop(key, {}));
  WaitEnd(key);
  EXPECT_EQ(::umount2(shared.c_str(), MNT_DETACH), 0);
}

}  // namespace
}  // namespace yard::engine::testing
