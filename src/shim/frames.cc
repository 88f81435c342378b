#include "shim/frames.h"

namespace yard::shim {

FrameReader::Piece FrameReader::Next(const char** at, const char* end) {
  while (*at < end) {
    if (body_left_ > 0) {
      const auto there = static_cast<std::size_t>(end - *at);
      Piece piece{head_[0] == 2 ? 2 : 1, *at, body_left_ < there ? body_left_ : there};
      body_left_ -= piece.size;
      *at += piece.size;
      return piece;
    }
    head_[head_got_++] = static_cast<unsigned char>(*(*at)++);
    if (head_got_ < sizeof(head_)) continue;
    head_got_ = 0;
    body_left_ = static_cast<std::size_t>(head_[4]) << 24 |
                 static_cast<std::size_t>(head_[5]) << 16 |
                 static_cast<std::size_t>(head_[6]) << 8 | head_[7];
  }
  return {};
}

}  // namespace yard::shim
