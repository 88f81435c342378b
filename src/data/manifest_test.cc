#include "data/manifest.h"

#include <string>

#include <gmock/gmock.h>

#include "base/random.h"
#include "data/diff.h"

namespace yard::data {
namespace {

using ::testing::HasSubstr;

Entry Folder(std::string path) {
  return {.path = std::move(path), .kind = Kind::kFolder, .mode = 0755, .mtime_ns = 5};
}
Entry File(std::string path, std::string_view content = "x") {
  return {.path = std::move(path),
          .kind = Kind::kFile,
          .mode = 0644,
          .mtime_ns = -7,
          .size = content.size(),
          .target = {},
          .segments = {{content.size(), false, IdOf(content)}}};
}
Entry Link(std::string path, std::string target) {
  return {.path = std::move(path), .kind = Kind::kLink, .mode = 0777, .target = std::move(target)};
}

std::string Refusal(const std::vector<Entry>& entries) {
  auto read = ReadManifest(WriteManifest(entries));
  return read ? "" : read.error().message;
}

TEST(Manifest, ComesBackAsItWasWritten) {
  Entry sparse = File("z", "abc");
  sparse.segments.insert(sparse.segments.begin(), {std::uint64_t{1} << 40, true, {}});
  sparse.size += std::uint64_t{1} << 40;
  const std::vector<Entry> entries{Folder("a"),     File("a/b"),   Folder("a/c"),
                                   File("a/c/d"),   File("a.txt"), Link("l", "../outside"),
                                   File("ü\nname"), sparse};
  auto read = ReadManifest(WriteManifest({entries[0], entries[1], entries[2], entries[3],
                                          entries[4], entries[5], entries[7], entries[6]}));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)[6], sparse);
  EXPECT_EQ((*read)[7], entries[6]);
}

TEST(Manifest, PathsThatLeadOutAreRefused) {
  EXPECT_THAT(Refusal({File("/etc/passwd")}), HasSubstr("absolute"));
  EXPECT_THAT(Refusal({File("..")}), HasSubstr("leads out"));
  EXPECT_THAT(Refusal({Folder("a"), File("a/../../x")}), HasSubstr("leads out"));
  EXPECT_THAT(Refusal({File("a//b")}), HasSubstr("empty part"));
  EXPECT_THAT(Refusal({File("./a")}), HasSubstr("leads out"));
  EXPECT_THAT(Refusal({File(std::string("a\0b", 3))}), HasSubstr("zero byte"));
  EXPECT_THAT(Refusal({File("caf\xe9")}), HasSubstr("'caf\\xe9' cannot be in a data set"));
  EXPECT_THAT(Refusal({File(std::string(256, 'n'))}), HasSubstr("too long"));
  EXPECT_THAT(Refusal({File("")}), HasSubstr("empty"));
}

TEST(Manifest, NothingLiesBelowALinkOrAFile) {
  EXPECT_THAT(Refusal({Link("l", "/etc"), File("l/passwd")}), HasSubstr("not a folder"));
  EXPECT_THAT(Refusal({File("f"), File("f/x")}), HasSubstr("not a folder"));
  EXPECT_THAT(Refusal({File("no/parent")}), HasSubstr("not a folder"));
  EXPECT_THAT(Refusal({Folder("a"), Folder("b"), File("a/late")}), HasSubstr("out of order"));
}

TEST(Manifest, TwiceTheSamePathIsRefused) {
  EXPECT_THAT(Refusal({File("a"), File("a")}), HasSubstr("twice"));
  EXPECT_THAT(Refusal({File("b"), File("a")}), HasSubstr("out of order"));
}

TEST(Manifest, SizesMustAddUp) {
  Entry file = File("a", "abc");
  file.size = 4;
  EXPECT_THAT(Refusal({file}), HasSubstr("not as long"));
  file = File("a", "abc");
  file.segments[0].length = 0;
  EXPECT_THAT(Refusal({file}), HasSubstr("impossible length"));
  file.segments[0] = {kLargestFile, true, {}};
  file.segments.push_back({1, false, IdOf("x")});
  file.segments.push_back(file.segments[0]);
  file.size = 2 * kLargestFile;
  EXPECT_NE(Refusal({file}), "");
  file = File("a");
  file.mode = 04755;
  EXPECT_THAT(Refusal({file}), HasSubstr("more than permissions"));
}

// A byte would become the 48 of a segment in memory.
TEST(Manifest, HolesAreNotInPieces) {
  Entry file = File("a");
  file.segments = {{1, true, {}}, {1, true, {}}, {1, false, IdOf("x")}};
  file.size = 3;
  EXPECT_THAT(Refusal({file}), HasSubstr("a hole follows another one"));
  file.segments.assign(1 << 20, {1, true, {}});
  file.size = 1 << 20;
  EXPECT_THAT(Refusal({file}), HasSubstr("too many parts"));
}

TEST(Manifest, NoCutOrChangedByteCrashesTheReader) {
  const std::string whole = WriteManifest({Folder("a"), File("a/b"), Link("l", "t")});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    auto read = ReadManifest(std::string_view(whole).substr(0, size));
    EXPECT_LT(read ? read->size() : 0, 3U);
  }
  SeededRandom random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    bytes[random.Below(bytes.size())] = static_cast<char>(random.Below(256));
    auto read = ReadManifest(bytes);
    EXPECT_EQ(read ? Code::kInvalid : read.error().code, Code::kInvalid);
  }
}

TEST(Compare, NamesWhatCameWentAndChanged) {
  const std::vector<Entry> before{Folder("a"), File("a/gone"), File("a/same"), File("b", "old")};
  std::vector<Entry> after{Folder("a"), File("a/new"), File("a/same"), File("b", "newer")};
  after[2].mtime_ns = 99;
  std::string said;
  for (const Difference& one : Compare(before, after))
    said += std::to_string(static_cast<int>(one.what)) + one.path + " ";
  EXPECT_EQ(said, "1a/gone 0a/new 2b ");
}

}  // namespace
}  // namespace yard::data
