#include "shim/pack.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shim/tar.h"

namespace yard::shim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

void WriteTo(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string ReadFrom(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class PackTest : public ::testing::Test {
 protected:
  PackTest() {
    char name[] = "/tmp/gpuyard-pack-XXXXXX";
    folder_ = ::mkdtemp(name);
    fs::create_directory(folder_ / "to");
    words_ = ::open((folder_ / "words").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  ~PackTest() override {
    ::close(words_);
    fs::remove_all(folder_);
  }

  int PackIt(const std::string& path) {
    const int out = ::open(archive().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int code = Pack(path.c_str(), {out, words_});
    ::close(out);
    return code;
  }
  int UnpackIt(const std::string& to) {
    const int in = ::open(archive().c_str(), O_RDONLY | O_CLOEXEC);
    const int code = Unpack(to.c_str(), {in, words_});
    ::close(in);
    return code;
  }
  int PackWhile(const std::string& path, const std::function<void(const std::string&)>& meanwhile);
  // More than the packer reads and a pipe holds at once.
  static std::string Large() { return std::string(1'000'000, 'x'); }
  std::string complaint() const { return ReadFrom(folder_ / "words"); }
  std::string archive() const { return folder_ / "a.tar"; }
  // GNU tar in the folder `to`; its exit code.
  int Tar(std::vector<std::string> words) {
    const std::vector<std::string> first = {"tar", "-C", (folder_ / "to").string()};
    words.insert(words.begin(), first.begin(), first.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    if (::posix_spawnp(&child, "tar", nullptr, nullptr, argv.data(), environ) != 0) return -1;
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
  }

  fs::path folder_;
  int words_ = -1;
};

TEST_F(PackTest, GnuTarReadsWhatWasPacked) {
  const std::string deep = std::string(80, 'd') + "/" + std::string(90, 'e');
  WriteTo(folder_ / "box/a", "made");
  WriteTo(folder_ / "box" / deep / "far", std::string(300'000, 'x'));
  fs::create_symlink("a", folder_ / "box/link");
  fs::create_symlink(std::string(150, 'l'), folder_ / "box/long-link");
  ::chmod((folder_ / "box/a").c_str(), 0751);
  EXPECT_EQ(PackIt(folder_ / "box/"), 0) << complaint();
  EXPECT_EQ(Tar({"-xf", archive()}), 0);
  EXPECT_EQ(ReadFrom(folder_ / "to/box/a"), "made");
  EXPECT_EQ(ReadFrom(folder_ / "to/box" / deep / "far").size(), 300'000u);
  EXPECT_EQ(fs::read_symlink(folder_ / "to/box/link"), "a");
  EXPECT_EQ(fs::read_symlink(folder_ / "to/box/long-link"), std::string(150, 'l'));
  EXPECT_EQ(static_cast<int>(fs::status(folder_ / "to/box/a").permissions()), 0751);
}

TEST_F(PackTest, ItReadsWhatGnuTarPacked) {
  const std::string deep = std::string(80, 'd') + "/" + std::string(90, 'e');
  for (const char* format : {"gnu", "pax", "ustar"}) {
    WriteTo(folder_ / "to/box/a", "made");
    WriteTo(folder_ / "to/box" / deep / "far", std::string(300'000, 'x'));
    fs::create_hard_link(folder_ / "to/box/a", folder_ / "to/box/same");
    fs::create_symlink("a", folder_ / "to/box/link");
    ASSERT_EQ(Tar({std::string("--format=") + format, "-cf", archive(), "box"}), 0);
    fs::remove_all(folder_ / "to/box");
    EXPECT_EQ(UnpackIt(folder_ / "to"), 0) << complaint();
    EXPECT_EQ(ReadFrom(folder_ / "to/box/a"), "made");
    EXPECT_EQ(ReadFrom(folder_ / "to/box/same"), "made");
    EXPECT_EQ(ReadFrom(folder_ / "to/box" / deep / "far").size(), 300'000u);
    EXPECT_EQ(fs::read_symlink(folder_ / "to/box/link"), "a");
    fs::remove_all(folder_ / "to/box");
  }
}

TEST_F(PackTest, WhatWasPackedIsWrittenBackOverItself) {
  WriteTo(folder_ / "to/box/a", "made");
  fs::create_symlink("a", folder_ / "to/box/link");
  EXPECT_EQ(PackIt(folder_ / "to/box"), 0);
  WriteTo(folder_ / "to/box/a", "changed");
  EXPECT_EQ(UnpackIt(folder_ / "to"), 0) << complaint();
  EXPECT_EQ(ReadFrom(folder_ / "to/box/a"), "made");
  EXPECT_EQ(fs::read_symlink(folder_ / "to/box/link"), "a");
}

TEST_F(PackTest, AMissingFileIsAnExitCodeAndAWord) {
  EXPECT_EQ(PackIt(folder_ / "nothing"), 1);
  EXPECT_THAT(complaint(), HasSubstr("nothing: No such file"));
}

// Packs into a pipe and has `meanwhile` done while the packer waits in its first file, since the
// pipe holds less. It is given the name of that file.
int PackTest::PackWhile(const std::string& path,
                        const std::function<void(const std::string&)>& meanwhile) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
  auto code = std::async(std::launch::async, [&] {
    const int packed = Pack(path.c_str(), {ends[1], words_});
    ::close(ends[1]);
    return packed;
  });
  std::string bytes(1024, '\0');  // the headers of the folder and the file
  EXPECT_EQ(tar::ReadAll(ends[0], bytes.data(), bytes.size()), 1024);
  meanwhile(fs::path(bytes.substr(512, 100).c_str()).filename());
  std::vector<char> piece(1 << 20);
  for (std::int64_t got = 1; got > 0;) {
    got = tar::ReadAll(ends[0], piece.data(), piece.size());
    bytes.append(piece.data(), static_cast<std::size_t>(std::max<std::int64_t>(got, 0)));
  }
  ::close(ends[0]);
  WriteTo(archive(), bytes);
  return code.get();
}

TEST_F(PackTest, FilesThatVanishBeforeTheirTurnAreLeftOut) {
  for (const char* name : {"a", "b", "c", "d"}) WriteTo(folder_ / "box" / name, Large());
  std::string first;
  const int code = PackWhile(folder_ / "box", [&](const std::string& name) {
    first = name;
    for (const char* other : {"a", "b", "c", "d"})
      if (other != name) fs::remove(folder_ / "box" / other);
  });
  EXPECT_EQ(code, 0) << complaint();
  EXPECT_EQ(UnpackIt(folder_ / "to"), 0) << complaint();
  EXPECT_EQ(ReadFrom(folder_ / "to/box" / first), Large());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "to/box"), {}), 1);
}

TEST_F(PackTest, AFileThatBecameALinkBeforeItsTurnLeadsNowhere) {
  for (const char* name : {"a", "b"}) WriteTo(folder_ / "box" / name, Large());
  WriteTo(folder_ / "secret", "not theirs");
  const int code = PackWhile(folder_ / "box", [&](const std::string& name) {
    const std::string other = name == "a" ? "b" : "a";
    fs::remove(folder_ / "box" / other);
    fs::create_symlink(folder_ / "secret", folder_ / "box" / other);
  });
  EXPECT_EQ(code, 0) << complaint();
  EXPECT_THAT(ReadFrom(archive()), ::testing::Not(HasSubstr("not theirs")));
  EXPECT_EQ(UnpackIt(folder_ / "to"), 0) << complaint();
}

TEST_F(PackTest, AFileThatShrinksOrGrowsMeanwhileHasTheSizeThatItHadAtFirst) {
  for (const std::size_t size : {std::size_t{1000}, 2 * Large().size()}) {
    WriteTo(folder_ / "box/a", Large());
    const int code = PackWhile(folder_ / "box", [&](const std::string& name) {
      EXPECT_EQ(name, "a");
      fs::resize_file(folder_ / "box/a", size);
    });
    EXPECT_EQ(code, 0) << complaint();
    EXPECT_EQ(UnpackIt(folder_ / "to"), 0) << complaint();
    EXPECT_EQ(fs::file_size(folder_ / "to/box/a"), Large().size());
  }
}

TEST_F(PackTest, NothingIsWrittenOutsideTheFolder) {
  WriteTo(folder_ / "to/box/evil", "x");
  ASSERT_EQ(Tar({"--transform=s,box/evil,../evil,", "-P", "-cf", archive(), "box/evil"}), 0);
  fs::create_directory(folder_ / "to/in");
  EXPECT_EQ(UnpackIt(folder_ / "to/in"), 1);
  EXPECT_FALSE(fs::exists(folder_ / "to/evil"));
  EXPECT_THAT(complaint(), HasSubstr("not inside the folder: ../evil"));
}

TEST_F(PackTest, AnArchiveThatEndsInTheMiddleIsToldOf) {
  WriteTo(folder_ / "box/a", std::string(5000, 'x'));
  EXPECT_EQ(PackIt(folder_ / "box"), 0);
  fs::resize_file(archive(), 4000);
  EXPECT_EQ(UnpackIt(folder_ / "to"), 1);
  EXPECT_THAT(complaint(), HasSubstr("ends in the middle"));
}

TEST_F(PackTest, SomethingElseThanAnArchiveIsToldOf) {
  WriteTo(archive(), std::string(4096, 'x'));
  EXPECT_EQ(UnpackIt(folder_ / "to"), 1);
  EXPECT_THAT(complaint(), HasSubstr("damaged"));
}

TEST(TarTest, NumbersThatAreTooLargeForTheirDigitsAreTold) {
  char field[8];
  EXPECT_TRUE(tar::PutNumber(field, sizeof field, 07777777));
  EXPECT_EQ(tar::ReadNumber(field, sizeof field), 07777777u);
  EXPECT_FALSE(tar::PutNumber(field, sizeof field, 010000000));
}

TEST(TarTest, TheLengthOfARecordCountsItself) {
  for (std::size_t size : {1u, 85u, 86u, 87u, 88u, 980u, 990u, 991u, 992u}) {
    std::string text(size, 'v');
    std::string room(2000, '\0');
    const std::size_t used = tar::PutRecord(room.data(), "path", text.c_str());
    EXPECT_EQ(std::stoul(room), used);
    tar::Record record{};
    char* at = room.data();
    ASSERT_TRUE(tar::NextRecord(&at, room.data() + used, &record)) << size;
    EXPECT_EQ(record.value, text);
  }
}

}  // namespace
}  // namespace yard::shim
