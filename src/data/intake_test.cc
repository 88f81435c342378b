#include "data/intake.h"

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace yard::data {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kBlock = 512;

void Put(std::string& block, std::size_t at, std::string_view text) {
  block.replace(at, text.size(), text);
}

// A header and the content behind it, with zeros up to the next block.
std::string Member(std::string_view name, char type, std::string_view content = "",
                   std::string_view link = "") {
  std::string block(kBlock, '\0');
  Put(block, 0, name);
  Put(block, 100, "0000640");
  Put(block, 124, fmt::format("{:011o}", content.size()));
  Put(block, 136, "00000000144");
  Put(block, 148, "        ");
  block[156] = type;
  Put(block, 157, link);
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  Put(block, 148, fmt::format("{:06o}", sum));
  block += content;
  block.resize((block.size() + kBlock - 1) / kBlock * kBlock, '\0');
  return block;
}

std::string Record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 2;
  if (fmt::to_string(length).size() > 2) length = rest + fmt::to_string(length).size();
  return fmt::format("{} {}={}\n", length, key, value);
}

const std::string kEnd(2 * kBlock, '\0');

class Intake : public ::testing::Test {
 protected:
  Result<TakenFolder> Take(const std::string& archive, std::size_t piece = 1000,
                           IntakeLimits limits = {}) {
    chunks_.clear();
    FolderIntake intake(limits, [this](std::string_view chunk) -> Result<ChunkId> {
      chunks_[IdOf(chunk)] = chunk;
      return IdOf(chunk);
    });
    for (std::size_t at = 0; at < archive.size(); at += piece)
      YARD_TRY(intake.Feed(std::string_view(archive).substr(at, piece)));
    return intake.Finish();
  }
  // "path=content" of the files of a folder that was taken.
  std::vector<std::string> Files(const TakenFolder& folder) {
    std::vector<std::string> files;
    const Result<std::vector<Entry>> entries = ReadManifest(folder.manifest);
    EXPECT_TRUE(entries) << entries.error().message;
    for (const Entry& entry : *entries) {
      if (entry.kind == Kind::kFolder) continue;
      files.push_back(fmt::format("{}={}", entry.path, entry.target));
      for (const Segment& part : entry.segments)
        files.back() += part.is_hole ? fmt::format("<{}>", part.length) : chunks_[part.id];
    }
    return files;
  }

  std::map<ChunkId, std::string> chunks_;
};

TEST_F(Intake, TakesFilesFoldersAndLinksInAnyPieces) {
  const std::string archive = Member(".", '5') + Member("./b", '0', "two") + Member("./a", '5') +
                              Member("./a/x", '0', std::string(700, 'x')) +
                              Member("./a/empty", '0') + Member("./l", '2', "", "/etc/passwd") +
                              kEnd;
  for (const std::size_t piece : {1UZ, 511UZ, 100'000UZ}) {
    const Result<TakenFolder> taken = Take(archive, piece);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->files, 3);
    EXPECT_EQ(taken->bytes, 703);
    EXPECT_THAT(Files(*taken),
                ElementsAre("a/empty=", "a/x=" + std::string(700, 'x'), "b=two", "l=/etc/passwd"));
    EXPECT_EQ(chunks_[taken->chunks.front()], taken->manifest);
  }
}

TEST_F(Intake, TheSameFolderIsTheSameVersion) {
  const std::string a = Member("./a", '0', "1");
  const std::string b = Member("./b", '0', "2");
  EXPECT_EQ(Take(Member(".", '5') + a + b + kEnd)->manifest,
            Take(Member(".", '5') + b + a + kEnd)->manifest);
}

TEST_F(Intake, AFolderWithANameLosesIt) {
  const Result<TakenFolder> taken =
      Take(Member("ckpt/", '5') + Member("ckpt/w", '0', "1") + Member("other", '0', "2") + kEnd);
  EXPECT_THAT(Files(*taken), ElementsAre("w=1"));
}

TEST_F(Intake, AFileAloneKeepsItsName) {
  EXPECT_THAT(Files(*Take(Member("model.pt", '0', "1") + kEnd)), ElementsAre("model.pt=1"));
}

TEST_F(Intake, ZerosBecomeHoles) {
  const std::string zeros(3 * kLongestChunk + 5, '\0');
  const Result<TakenFolder> taken = Take(Member("f", '0', zeros + "end") + kEnd, 65536);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_THAT(Files(*taken),
              ElementsAre(fmt::format("f=<{}>{}end", 3 * kLongestChunk, std::string(5, '\0'))));
}

TEST_F(Intake, LongNamesComeByRecords) {
  const std::string name = "./" + std::string(200, 'n');
  const Result<TakenFolder> taken =
      Take(Member(".", '5') + Member("extended", 'x', Record("path", name)) +
           Member("cut off", '0', "1") + kEnd);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_THAT(Files(*taken), ElementsAre(name.substr(2) + "=1"));
}

TEST_F(Intake, WhatCannotBeInADataSetIsLeftOutAndNamed) {
  const std::string archive = Member(".", '5') + Member("./pipe", '6') + Member("./caf\xe9", '5') +
                              Member("./caf\xe9/x", '0', "1") + Member("./../up", '0', "2") +
                              Member("./no/parent", '0') + Member("./good", '0', "3") +
                              Member("./good", '0', "again") + kEnd;
  const Result<TakenFolder> taken = Take(archive);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_THAT(Files(*taken), ElementsAre("good=3"));
  EXPECT_EQ(taken->files, 1);
  EXPECT_EQ(taken->left_out_count, 6U);
  EXPECT_THAT(taken->left_out,
              ElementsAre("pipe", "caf\\xe9", "caf\\xe9/x", "../up", "good", "no/parent"));
}

TEST_F(Intake, TooMuchIsRefusedByItsHeader) {
  const std::string archive = Member(".", '5') + Member("./big", '0', std::string(600, 'x')) + kEnd;
  const Result<TakenFolder> taken = Take(archive, 512, {.bytes = 599});
  EXPECT_EQ(taken.error().code, Code::kTooLarge);
  EXPECT_THAT(taken.error().message, HasSubstr("'big'"));
  EXPECT_EQ(Take(archive, 512, {.entries = 0}).error().code, Code::kTooLarge);
  EXPECT_EQ(Take(archive, 512, {.name_bytes = 2}).error().code, Code::kTooLarge);
  EXPECT_THAT(chunks_, IsEmpty());
}

TEST_F(Intake, ADamagedOrCutArchiveIsNoFolder) {
  const std::string whole = Member(".", '5') + Member("./a", '0', "1") + kEnd;
  EXPECT_EQ(Take(whole.substr(0, 2 * kBlock)).error().code, Code::kUnavailable);
  std::string damaged = whole;
  damaged[3] = 'x';
  EXPECT_EQ(Take(damaged).error().code, Code::kInvalid);
  EXPECT_EQ(Take(Member("x", 'x', "9 path") + kEnd).error().code, Code::kInvalid);
  EXPECT_EQ(Take(Member("x", 'x', Record("size", "-1")) + Member("a", '0') + kEnd).error().code,
            Code::kInvalid);
}

TEST_F(Intake, HeadersAloneAreRead) {
  std::vector<std::string> seen;
  TarReader reader(TarContents::kLeftOut, {.entry = [&](TarEntry&& entry) -> Status {
                     seen.push_back(fmt::format("{} {}", entry.path, entry.size));
                     return {};
                   }});
  const std::string header = Member("./a", '0', std::string(100, 'x')).substr(0, kBlock);
  ASSERT_TRUE(reader.Feed(header + header + kEnd));
  EXPECT_THAT(seen, ElementsAre("./a 100", "./a 100"));
  EXPECT_TRUE(reader.ended());
}

}  // namespace
}  // namespace yard::data
