#include "engine/slurm/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/slurm/program.h"

namespace yard::engine::slurm {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::string Tar(const std::string& script) {
  SpawnSpec shell;
  shell.argv = {"/bin/sh", "-c", script};
  shell.envp = {"PATH=/usr/bin:/bin"};
  Result<Output> output = RunProgram(shell, "", Seconds(20));
  EXPECT_TRUE(output);
  return output ? output->out : "";
}

TEST(Archive, FilesOfARealTarComeBack) {
  const std::string tar =
      Tar("d=$(mktemp -d) && cd $d && mkdir t && printf one >t/a && head -c 1000 /dev/zero >t/b && "
          ": >t/c && tar -cf - ./t; rm -rf $d");
  const auto files = ReadArchive(tar);
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, ElementsAre(Pair("t/a", "one"), Pair("t/b", std::string(1000, '\0')),
                                  Pair("t/c", "")));
}

TEST(Archive, LongNamesComeBack) {
  const std::string tar =
      Tar("d=$(mktemp -d) && cd $d && n=$(printf '%0150d' 1) && mkdir $n && printf x >$n/a && tar "
          "-cf - $n/a; rm -rf $d");
  const auto files = ReadArchive(tar);
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ(files->begin()->first.size(), 152U);
}

TEST(Archive, NothingIsNoFiles) {
  EXPECT_TRUE(ReadArchive("")->empty());
}

TEST(Archive, OneThatIsCutOffIsRefused) {
  const std::string tar = Tar("d=$(mktemp -d) && cd $d && printf one >a && tar -cf - a; rm -rf $d");
  ASSERT_GT(tar.size(), 1024U);
  EXPECT_FALSE(ReadArchive(std::string_view(tar).substr(0, 513)));
  EXPECT_FALSE(ReadArchive(std::string_view(tar).substr(0, 100)));
  EXPECT_FALSE(ReadArchive("sh: tar: not found"));
}

TEST(Program, AnswersWithOutputErrorAndCode) {
  SpawnSpec shell;
  shell.argv = {"/bin/sh", "-c", "cat; echo oops >&2; exit 3"};
  const std::string input(1'000'000, 'x');
  Result<Output> output = RunProgram(shell, input, Seconds(20));
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, input);
  EXPECT_EQ(output->err, "oops\n");
  EXPECT_EQ(output->code, 3);
}

TEST(Program, OneThatReadsNoInputIsNoError) {
  SpawnSpec shell;
  shell.argv = {"/bin/sh", "-c", "exit 0"};
  EXPECT_EQ(RunProgram(shell, std::string(10'000'000, 'x'), Seconds(20))->code, 0);
}

TEST(Program, WhoItLeavesBehindKeepsNobodyWaiting) {
  SpawnSpec shell;
  shell.argv = {"/bin/sh", "-c", "sleep 30 & echo done"};
  shell.envp = {"PATH=/usr/bin:/bin"};
  EXPECT_EQ(RunProgram(shell, "", Seconds(20))->out, "done\n");
}

TEST(Program, OneThatTakesTooLongIsKilled) {
  SpawnSpec shell;
  shell.argv = {"/bin/sh", "-c", "sleep 100"};
  shell.envp = {"PATH=/usr/bin:/bin"};
  EXPECT_EQ(RunProgram(shell, "", Micros(50'000)).error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace yard::engine::slurm
