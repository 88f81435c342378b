// Gzip on whole bodies.
//
// Both directions work on memory; the size after decompression is bounded by the caller, so that
// a small body cannot blow up.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::http {

// Code::kTooLarge when more than `limit` bytes would come out, Code::kInvalid when it is not gzip.
Result<std::string> Gunzip(std::string_view compressed, std::size_t limit);

// Keeps its working memory (about 256 KiB) between bodies. One thread.
class Gzipper {
 public:
  Gzipper();
  ~Gzipper();
  std::string Compress(std::string_view body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace yard::http
