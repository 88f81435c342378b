// A container's output as a daemon sends it when there is no terminal: pieces of standard output
// and standard error, each behind a head of eight bytes. Cut up wherever the stream was cut. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

namespace yard::shim {

class FrameReader {
 public:
  struct Piece {
    int stream = 1;  // 1: output, 2: error
    const char* bytes = nullptr;
    std::size_t size = 0;  // 0: these bytes hold no more
  };

  // Takes the next piece from the bytes at *at, which moves on. Call until size is 0.
  Piece Next(const char** at, const char* end);

 private:
  unsigned char head_[8] = {};
  std::size_t head_got_ = 0;
  std::size_t body_left_ = 0;
};

}  // namespace yard::shim
