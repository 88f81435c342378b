#include "cli/enter/enter.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <deque>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/fd.h"
#include "cli/enter/child.h"
#include "cli/enter/copy.h"
#include "cli/enter/frames.h"
#include "cli/enter/pump.h"
#include "cli/enter/ssh.h"
#include "cli/work/logs.h"

namespace yard::cli {
namespace {

// The server's side of a connection, as a script: what it sends, and what it was sent.
class FakeChannel final : public client::Channel {
 public:
  explicit FakeChannel(std::deque<std::string> messages) : messages_(std::move(messages)) {}
  std::optional<std::string> Receive() override {
    if (messages_.empty()) return std::nullopt;
    std::string first = messages_.front();
    messages_.pop_front();
    return first;
  }
  Status Send(std::string bytes) override {
    sent += bytes;
    return {};
  }
  void Close() override {}

  std::string sent;

 private:
  std::deque<std::string> messages_;
};

std::string ReadAll(int fd) {
  std::string text(100, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(read(fd, text.data(), text.size()), 0)));
  return text;
}

TEST(Pump, OutputGoesOutAndTheExitCodeComesBack) {
  std::array<int, 2> out{};
  ASSERT_EQ(pipe2(out.data(), O_CLOEXEC), 0);
  UniqueFd reading(out[0]);
  UniqueFd writing(out[1]);
  FakeChannel channel({"\x01hello", "\x02oops", "\x03{\"exit\":7}"});
  client::Outcome<int> code =
      Pump(channel, {.in = -1, .out = writing.get(), .err = writing.get(), .terminal = -1});
  ASSERT_TRUE(code);
  EXPECT_EQ(*code, 7);
  EXPECT_EQ(ReadAll(reading.get()), "hellooops");
}

TEST(Pump, AConnectionThatBreaksIsNotAnEnd) {
  FakeChannel channel({"\x01half"});
  UniqueFd null(open("/dev/null", O_WRONLY | O_CLOEXEC));
  client::Outcome<int> code =
      Pump(channel, {.in = -1, .out = null.get(), .err = null.get(), .terminal = -1});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().error.code, Code::kUnavailable);
}

TEST(Pump, WhatTheServerComplainsAboutIsSaid) {
  FakeChannel channel({"\x03{\"error\":\"no such program\"}"});
  client::Outcome<int> code = Pump(channel, {.in = -1, .out = 1, .err = 2, .terminal = -1});
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().error.message, "no such program");
}

TEST(Frames, CarryTheChannelInTheirFirstByte) {
  EXPECT_EQ(InputFrame("x"), std::string("\0x", 2));
  EXPECT_EQ(ResizeFrame(24, 80), "\x03{\"resize\":{\"rows\":24,\"columns\":80}}");
  EXPECT_FALSE(ReadControl("{}"));
  EXPECT_FALSE(ReadControl("nonsense"));
}

TEST(Forwarding, TheLocalPortStandsFirst) {
  EXPECT_EQ(ParseForwarding("8888")->remote, 8888);
  EXPECT_EQ(ParseForwarding("9999:80")->local, 9999);
  EXPECT_EQ(ParseForwarding("0:80")->local, 0);
  for (const char* text : {"", "x", "80:", "70000", "1:0", "-1"})
    EXPECT_FALSE(ParseForwarding(text)) << text;
}

TEST(CopyEnd, ANameBeforeTheColonIsATask) {
  EXPECT_EQ(ParseCopyEnd("train:/x").workload, "train");
  EXPECT_EQ(ParseCopyEnd("vision/train:x").workload, "vision/train");
  EXPECT_EQ(ParseCopyEnd("./a:b").workload, "");
  EXPECT_EQ(ParseCopyEnd("/a/b").path, "/a/b");
}

// What a file is called in the archive that is sent; its name stands first in it.
std::string NameInArchive(const std::string& own, const std::string& name) {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "gpuyard-rename-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / own) << "x";
  Result<Child> tar = Child::Start(
      {"tar", "-c", "--no-unquote", "-C", folder.string(), RenameOption(own, name), "--", own},
      ChildPipe::kItsOutput);
  EXPECT_TRUE(tar);
  std::string archive = ReadAll(tar->pipe());
  tar->ClosePipe();
  tar->Wait();
  std::filesystem::remove_all(folder);
  return archive.substr(0, archive.find('\0'));
}

TEST(Copy, AFileIsRenamedWhateverIsInItsName) {
  EXPECT_EQ(NameInArchive("data[1].csv", "x.csv"), "x.csv");
  EXPECT_EQ(NameInArchive("a.sh", "R&D.sh"), "R&D.sh");
  EXPECT_EQ(NameInArchive("a,b;c.sh", "\\1,;x"), "\\1,;x");
  EXPECT_EQ(NameInArchive("a^b*$\\.", "y"), "y");
}

TEST(LineFilter, PassesWholeLinesThatMatch) {
  std::string seen;
  LineFilter filter("loss", [&seen](std::string_view bytes) { seen += bytes; });
  filter.Take("epoch 1\nLo");
  filter.Take("ss 0.5\nother\nlast loss");
  filter.Finish();
  EXPECT_EQ(seen, "Loss 0.5\nlast loss");
}

TEST(Ssh, TheScriptQuotesTheKeyAndSaysWhenThereIsNoSshd) {
  std::string script = SshdScript("ssh-ed25519 AAAA it's me");
  EXPECT_TRUE(script.contains("'ssh-ed25519 AAAA it'\\''s me'"));
  EXPECT_TRUE(script.contains("there is no sshd in this task"));
  SshPlace place{"/usr/bin/gpuyard", "id-1", "train", "ann", {"/k/id", "pub"}};
  EXPECT_EQ(SshWords(place).back(), "train");
  EXPECT_TRUE(SshConfig(place).starts_with("Host gpuyard-train\n  User ann\n"));
}

}  // namespace
}  // namespace yard::cli
