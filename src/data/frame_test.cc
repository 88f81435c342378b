#include "data/frame.h"

#include <string>

#include <gmock/gmock.h>

namespace yard::data {
namespace {

using ::testing::HasSubstr;

std::string Framed(std::string_view content) {
  std::string out;
  AppendPacked(out, IdOf(content), content);
  return out;
}

TEST(Frame, ContentComesBackAsItWas) {
  const std::string text(100'000, 'a');
  const std::string both = Framed(text) + Framed("\x01\x02 short");
  auto frames = ReadFrames(both);
  ASSERT_TRUE(frames) << frames.error().message;
  ASSERT_EQ(frames->size(), 2U);
  EXPECT_LT(both.size(), text.size() / 10);
  EXPECT_EQ(*Unpack((*frames)[0]), text);
  EXPECT_EQ(*Unpack((*frames)[1]), "\x01\x02 short");
}

TEST(Frame, AFlippedBitIsFoundAndTheChunkNamed) {
  for (const std::string& content : {std::string("plain bytes"), std::string(1000, 'z')}) {
    std::string bytes = Framed(content);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    auto frames = ReadFrames(bytes);
    ASSERT_TRUE(frames);
    auto unpacked = Unpack(frames->front());
    ASSERT_FALSE(unpacked);
    EXPECT_THAT(unpacked.error().message, HasSubstr(Hex(IdOf(content))));
  }
}

TEST(Frame, NoPrefixOfFramesIsTakenForWhole) {
  const std::string bytes = Framed("some content of a chunk");
  for (std::size_t size = 1; size < bytes.size(); ++size)
    EXPECT_FALSE(ReadFrames(std::string_view(bytes).substr(0, size))) << size;
}

TEST(Frame, APackedBombIsRefusedByItsStatedLength) {
  const std::string content(kLongestChunk, '\0');
  std::string packed = Framed(content);
  auto frames = ReadFrames(packed);
  ASSERT_TRUE(frames);
  Frame lie = frames->front();
  lie.length = 10;
  EXPECT_FALSE(Unpack(lie));
  lie.length = kLongestChunk + 1;
  EXPECT_FALSE(Unpack(lie));
}

TEST(Ids, TravelAsBytesAndAsDigits) {
  const ChunkId id = IdOf("x");
  EXPECT_EQ(*ParseHex(Hex(id)), id);
  EXPECT_FALSE(ParseHex(Hex(id).substr(1)));
  EXPECT_FALSE(ParseHex(std::string(64, 'G')));
  const ChunkId both[] = {id, IdOf("y")};
  EXPECT_EQ(SplitIds(JoinIds(both))->at(1), both[1]);
  EXPECT_FALSE(SplitIds("short"));
}

}  // namespace
}  // namespace yard::data
