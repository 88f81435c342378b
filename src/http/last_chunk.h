// A gap of Beast's parser: the last chunk of a body without chunks before it.
#pragma once

#include <cstddef>
#include <string_view>

namespace yard::http {

// Beast keeps "0\r\n" until more comes and then insists on five bytes, though a sender may stop
// after the fourth. Such a beginning is not shown to it before the fifth is there.
template <class Parser>
bool IsHalfOfTheLastChunk(const Parser& parser, std::string_view input) {
  constexpr std::size_t kLeast = 5;
  return parser.is_header_done() && parser.chunked() && input.size() < kLeast &&
         (input.starts_with("0\r\n") || input == "00\r\n");
}

}  // namespace yard::http
