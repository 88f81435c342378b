#include "data/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>

#include "base/file.h"
#include "data/folder_writer.h"

namespace yard::data {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Folders : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/gyd-XXXXXX";
    place_ = ::mkdtemp(name);
    fs::create_directory(Path("in"));
  }
  void TearDown() override { EXPECT_TRUE(RemoveFolder(place_)); }

  std::string Path(const std::string& name) const { return place_ + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  // Cuts every file, keeping the chunks here.
  std::vector<Entry> Read(const std::string& name) {
    auto found = WalkFolder(Path(name));
    EXPECT_TRUE(found) << found.error().message;
    auto root = OpenFolder(Path(name));
    for (Entry& entry : found->entries) {
      if (entry.kind != Kind::kFile) continue;
      auto file = OpenBelow(root->get(), entry.path, O_RDONLY);
      EXPECT_TRUE(CutFile(file->get(), entry.size,
                          {.chunk = [&](std::string_view chunk) -> Status {
                             chunks_[IdOf(chunk)] = chunk;
                             entry.segments.push_back({chunk.size(), false, IdOf(chunk)});
                             return {};
                           },
                           .hole = [&](std::uint64_t length) -> Status {
                             entry.segments.push_back({length, true, {}});
                             return {};
                           }}));
    }
    return found->entries;
  }
  Status Put(const std::string& name, const std::vector<Entry>& entries,
             FolderWriter::Modes modes = FolderWriter::Modes::kRecorded) {
    YARD_ASSIGN(FolderWriter writer, FolderWriter::Open(Path(name), modes));
    for (const Entry& entry : entries) {
      YARD_TRY(writer.Add(entry, [&](const ChunkId& id) -> Result<std::string> {
        if (!chunks_.contains(id)) return Fail(Code::kNotFound, "no chunk");
        return chunks_[id];
      }));
    }
    return writer.Finish();
  }

  std::string place_;
  std::map<ChunkId, std::string> chunks_;
};

TEST_F(Folders, AFolderComesBackAsItWas) {
  fs::create_directories(Path("in/deep/er"));
  Write("in/deep/er/file", "content");
  Write("in/deep.txt", "");
  Write("in/run.sh", "#!/bin/sh\n");
  ::chmod(Path("in/run.sh").c_str(), 0750);
  ::chmod(Path("in/deep").c_str(), 0500);
  fs::create_symlink("../../outside", Path("in/link"));
  const std::vector<Entry> entries = Read("in");
  ASSERT_TRUE(ReadManifest(WriteManifest(entries)));
  ASSERT_TRUE(Put("out", entries));
  EXPECT_EQ(WriteManifest(Read("out")), WriteManifest(entries));
  EXPECT_EQ(fs::read_symlink(Path("out/link")), "../../outside");
}

TEST_F(Folders, HolesCostNothing) {
  const int file = ::open(Path("in/huge").c_str(), O_CREAT | O_WRONLY, 0644);
  constexpr off_t kSize = off_t{100} << 30;
  ASSERT_EQ(::pwrite(file, "x", 1, kSize / 2), 1);
  ASSERT_EQ(::ftruncate(file, kSize), 0);
  ::close(file);
  const std::vector<Entry> entries = Read("in");
  ASSERT_LE(entries[0].segments.size(), 3U);
  ASSERT_TRUE(Put("out", entries));
  struct stat about{};
  ASSERT_EQ(::stat(Path("out/huge").c_str(), &about), 0);
  EXPECT_EQ(about.st_size, kSize);
  EXPECT_LT(about.st_blocks, 1000);
}

TEST_F(Folders, NamesThatAreNoTextAreNamedEscaped) {
  Write("in/caf\xe9", "x");
  auto found = WalkFolder(Path("in"));
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("caf\\xe9"));
}

TEST_F(Folders, PipesAreSkippedByName) {
  ASSERT_EQ(::mkfifo(Path("in/pipe").c_str(), 0600), 0);
  EXPECT_THAT(WalkFolder(Path("in"))->skipped, ElementsAre("pipe"));
}

TEST_F(Folders, NothingIsWrittenThroughALink) {
  fs::create_directory(Path("outside"));
  fs::create_directory(Path("out"));
  fs::create_directory_symlink(Path("outside"), Path("out/a"));
  Write("in/f", "new");
  Entry file = Read("in")[0];
  file.path = "a/f";
  const Entry folder{.path = "a", .kind = Kind::kFolder, .mode = 0755};
  // The folder replaces the link.
  ASSERT_TRUE(Put("out", {folder, file}));
  EXPECT_TRUE(fs::is_empty(Path("outside")));
  EXPECT_EQ(ReadFileOrEmpty(Path("out/a/f")), "new");
  // Without an entry of the folder there is only the link, and no way through it.
  fs::remove_all(Path("out/a"));
  fs::create_directory_symlink(Path("outside"), Path("out/a"));
  EXPECT_FALSE(Put("out", {file}));
  // A file replaces a link instead of writing to its target.
  Write("outside/precious", "old");
  fs::create_symlink(Path("outside/precious"), Path("out/f"));
  file.path = "f";
  ASSERT_TRUE(Put("out", {file}));
  EXPECT_EQ(ReadFileOrEmpty(Path("outside/precious")), "old");
}

TEST_F(Folders, SharedFoldersAreReadableAndClosedToWriting) {
  fs::create_directory(Path("in/d"));
  Write("in/d/f", "x");
  ::chmod(Path("in/d/f").c_str(), 0600);
  ::chmod(Path("in/d").c_str(), 0700);
  ASSERT_TRUE(Put("out", Read("in"), FolderWriter::Modes::kShared));
  struct stat about{};
  ASSERT_EQ(::stat(Path("out/d/f").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0444U);
  ASSERT_EQ(::stat(Path("out/d").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0555U);
  EXPECT_TRUE(RemoveFolder(Path("out")));
  EXPECT_FALSE(fs::exists(Path("out")));
}

TEST_F(Folders, WhatIsThereAlreadyIsKnownAndWhatIsTooMuchIsFound) {
  Write("in/f", "x");
  const std::vector<Entry> entries = Read("in");
  ASSERT_TRUE(Put("out", entries));
  auto writer = FolderWriter::Open(Path("out"), FolderWriter::Modes::kRecorded);
  EXPECT_TRUE(writer->Has(entries[0]));
  fs::create_directory(Path("out/extra"));
  Write("out/extra/file", "y");
  auto extra = ExtraPaths(Path("out"), entries);
  EXPECT_THAT(*extra, ElementsAre("extra/file", "extra"));
  ASSERT_TRUE(RemovePaths(Path("out"), *extra));
  EXPECT_FALSE(fs::exists(Path("out/extra")));
  Write("out/f", "longer");
  EXPECT_FALSE(writer->Has(entries[0]));
}

}  // namespace
}  // namespace yard::data
