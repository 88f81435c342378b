#include "model/host_paths.h"

#include <vector>

#include <gtest/gtest.h>

namespace yard {
namespace {

using enum MountAccess;

TEST(HostPaths, AreComparedWithoutTheWaysOfWritingThem) {
  EXPECT_EQ(NormalPath("//data/./sets//a/"), "/data/sets/a");
  EXPECT_EQ(NormalPath("/."), "/");
  EXPECT_EQ(NormalPath("data"), std::nullopt);
  EXPECT_EQ(NormalPath(""), std::nullopt);
  EXPECT_EQ(NormalPath("/data/../etc"), std::nullopt);
  EXPECT_EQ(NormalPath("/data/.."), std::nullopt);
  EXPECT_EQ(NormalPath("/data/..x"), "/data/..x");
  EXPECT_EQ(NormalPath(std::string_view("/data\0/etc", 10)), std::nullopt);
  EXPECT_EQ(NormalPath("/data\n"), std::nullopt);
  EXPECT_EQ(NormalPath("/data,rw"), std::nullopt);
}

TEST(HostPaths, AFolderDoesNotHoldItsNamesakes) {
  EXPECT_TRUE(LiesIn("/data", "/data"));
  EXPECT_TRUE(LiesIn("/data/a", "/data"));
  EXPECT_TRUE(LiesIn("/data", "/"));
  EXPECT_FALSE(LiesIn("/database", "/data"));
  EXPECT_FALSE(LiesIn("/dat", "/data"));
}

TEST(HostPaths, TheSystemIsClosedFromAboveAndFromBelow) {
  std::vector<std::string> own{"/srv/yard"};
  for (const char* path : {"/", "/etc", "/etc/cron.d", "/proc/1/root", "/dev/sda", "/var",
                           "/var/lib", "/run/podman/podman.sock", "/root/.ssh", "/srv", "/srv/yard",
                           "/srv/yard/keys", "/var/lib/containers/storage"}) {
    EXPECT_TRUE(ClosedFolder(path, kRead, own)) << path;
  }
  for (const char* path : {"/data", "/srv/yardage", "/home/ann/sets", "/mnt/x", "/opt", "/tmp/a"}) {
    EXPECT_FALSE(ClosedFolder(path, kWrite, own)) << path;
  }
}

TEST(HostPaths, ProgramsOfTheSystemAreMountedReadOnly) {
  EXPECT_FALSE(ClosedFolder("/usr/share/fonts", kRead, {}));
  EXPECT_TRUE(ClosedFolder("/usr/share/fonts", kWrite, {}));
}

}  // namespace
}  // namespace yard
