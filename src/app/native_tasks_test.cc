#include "app/native_tasks.h"

#include <unistd.h>

#include <gmock/gmock.h>

namespace yard::app {
namespace {

using ::testing::HasSubstr;

Settings Said(NamedTexts flags) {
  flags.emplace("data-dir", "/srv/gpuyard");
  Result<Settings> settings = ResolveSettings({.flags = std::move(flags)});
  EXPECT_TRUE(settings) << settings.error().message;
  return *std::move(settings);
}

std::string Refusal(NamedTexts flags) {
  Status status = CheckNativeTasks(Said(std::move(flags)));
  return status ? "" : status.error().message;
}

TEST(NativeTasks, TheServersAccountIsForOneMachine) {
  const char* own = geteuid() == 0 ? "root" : "self";
  EXPECT_EQ(Refusal({{"native-tasks", own}, {"listen", "127.0.0.1:0"}}), "");
  EXPECT_THAT(Refusal({{"native-tasks", own}, {"listen", "0.0.0.0:8470"}}),
              HasSubstr("for one person on one machine"));
  EXPECT_EQ(Refusal({{"native-tasks", "owner"}, {"listen", "0.0.0.0:8470"}}), "");
}

TEST(NativeTasks, RootRunsTheWorkOfOthersOnlyIfToldSo) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_THAT(Refusal({{"native-tasks", "self"}}), HasSubstr("as root"));
  EXPECT_EQ(RootTasksOf(Said({{"native-tasks", "root"}})), engine::RootTasks::kAllowed);
  for (const char* other : {"owner", "isolated", "off", "self"})
    EXPECT_EQ(RootTasksOf(Said({{"native-tasks", other}})), engine::RootTasks::kRefused) << other;
}

TEST(NativeTasks, TheOperatorsAccountIsAPersons) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_THAT(Refusal({{"native-tasks", "isolated"}, {"operator-account", "root"}}),
              HasSubstr("an account of the system"));
  EXPECT_THAT(Refusal({{"native-tasks", "isolated"}, {"operator-account", "no-such-one"}}),
              HasSubstr("no account"));
  EXPECT_EQ(Refusal({{"native-tasks", "isolated"}}), "");
}

TEST(NativeTasks, FoldersOfTasksLieOutsideTheClosedOne) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_EQ(TaskFolderOf(Said({{"data-dir", "/srv/yard"}})), "/srv/yard-tasks");
  EXPECT_EQ(TaskFolderOf(Said({{"data-dir", "/srv/yard/"}})), "/srv/yard-tasks");
  EXPECT_EQ(TaskFolderOf(Said({{"task-dir", "/scratch/yard"}})), "/scratch/yard");
  EXPECT_THAT(TaskFolderOf(Said({{"data-dir", "/root"}})), HasSubstr("-tasks"));
}

}  // namespace
}  // namespace yard::app
