#include "engine/slurm/words.h"

#include <gtest/gtest.h>

#include "base/uuid.h"
#include "engine/slurm/program.h"

namespace yard::engine::slurm {
namespace {

std::string Printed(const std::string& text) {
  SpawnSpec shell;
  shell.argv = {"/bin/sh", "-c", "printf %s " + ShellWord(text)};
  Result<Output> output = RunProgram(shell, "", Seconds(20));
  EXPECT_TRUE(output);
  return output ? output->out : "";
}

TEST(ShellWord, EveryByteComesBackFromARealShell) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(Printed(all), all);
}

TEST(ShellWord, NamesThatTryToEscapeStayWords) {
  for (const std::string name :
       {"'; touch /tmp/x; '", "$(id)", "`id`", "a\nb\n", "\\'", "!!", "''"})
    EXPECT_EQ(Printed(name), name);
}

TEST(ShellWord, ANulByteEndsTheText) {
  EXPECT_EQ(ShellWord(std::string_view("a\0b", 3)), "'a'");
}

TEST(FolderName, IsReadBack) {
  const TaskKey key{AttemptId(*ParseUuid("01980000-1111-7222-8333-444455556666")), 17};
  EXPECT_EQ(FolderName(key), "01980000-1111-7222-8333-444455556666.17");
  EXPECT_EQ(ParseFolderName(FolderName(key)), key);
  EXPECT_EQ(JobName(key), "gpuyard-01980000-1111-7222-8333-444455556666.17");
}

TEST(FolderName, OthersAreNone) {
  for (const char* name : {"", ".", "..", "x.0", "01980000-1111-7222-8333-444455556666",
                           "01980000-1111-7222-8333-444455556666.-1",
                           "01980000-1111-7222-8333-444455556666.99999999999"})
    EXPECT_FALSE(ParseFolderName(name)) << name;
}

TEST(PlainText, KeepsOnlyWhatColumnsCanShow) {
  EXPECT_EQ(PlainText("vision/train \"a\"\n|b'\xc3\xa9"), "vision/train ?a???b???");
  EXPECT_EQ(PlainText(std::string(1000, 'x')).size(), 200U);
}

}  // namespace
}  // namespace yard::engine::slurm
