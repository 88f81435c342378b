// What a connection has read but not parsed yet. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace yard::http {

class InputBuffer {
 public:
  std::string_view bytes() const { return {store_.data() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  void Consume(std::size_t n) {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = 0;
  }
  // Room for at least one more byte, and for `wanted` altogether.
  std::span<char> Prepare(std::size_t wanted) {
    if (begin_ > 0) {
      std::memmove(store_.data(), store_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (store_.size() < wanted || store_.size() == end_) {
      store_.resize(std::max(wanted, store_.size() * 2));
    }
    return std::span(store_).subspan(end_);
  }
  void Commit(std::size_t n) { end_ += n; }
  void Append(std::string_view bytes) {
    if (bytes.empty()) return;
    std::memcpy(Prepare(end_ + bytes.size()).data(), bytes.data(), bytes.size());
    Commit(bytes.size());
  }
  // After a large body: an idle connection should not hold its buffer.
  void ShrinkTo(std::size_t most) {
    if (empty() && store_.size() > most) store_ = std::vector<char>();
  }

 private:
  std::vector<char> store_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace yard::http
