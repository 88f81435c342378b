#include "shim/frames.h"

#include <gtest/gtest.h>

#include <string>

namespace yard::shim {
namespace {

std::string Frame(char stream, const std::string& text) {
  return std::string({stream, 0, 0, 0, 0, 0, static_cast<char>(text.size() >> 8),
                      static_cast<char>(text.size() & 0xff)}) +
         text;
}

// What comes out when the stream arrives in parts of `size` bytes: "1:…" and "2:…".
std::string Read(const std::string& stream, std::size_t size) {
  FrameReader reader;
  std::string out;
  std::string error;
  for (std::size_t at = 0; at < stream.size(); at += size) {
    std::string part = stream.substr(at, size);
    const char* next = part.data();
    const char* end = next + part.size();
    for (auto piece = reader.Next(&next, end); piece.size > 0; piece = reader.Next(&next, end))
      (piece.stream == 2 ? error : out).append(piece.bytes, piece.size);
  }
  return "1:" + out + " 2:" + error;
}

TEST(FrameReader, TellsOutputAndErrorApartHoweverTheyAreCut) {
  std::string stream = Frame(1, "hello ") + Frame(2, "oh") + Frame(1, "") +
                       Frame(1, std::string(300, 'x')) + Frame(2, " no");
  std::string expected = "1:hello " + std::string(300, 'x') + " 2:oh no";
  for (std::size_t size : {1, 2, 3, 7, 8, 9, 50, 1000}) EXPECT_EQ(Read(stream, size), expected);
}

}  // namespace
}  // namespace yard::shim
