#include "base/mask.h"

#include <algorithm>

namespace yard {
namespace {

constexpr std::string_view kScheme = "://";
constexpr std::string_view kBreaks = "/\"?# \t\r\n<>";

// An escaped quote is a part of the text, not its end.
bool Breaks(std::string_view text, std::size_t at) {
  if (!kBreaks.contains(text[at])) return false;
  return text[at] != '"' || at == 0 || text[at - 1] != '\\';
}

// Where the user information before the '@' at `at` begins; npos if that '@' is none of a URL.
std::size_t BeginOfUser(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && !Breaks(text, begin - 1)) --begin;
  bool url = begin >= kScheme.size() && begin < at &&
             text.substr(begin - kScheme.size(), kScheme.size()) == kScheme;
  return url ? begin : std::string_view::npos;
}

// The host begins after the last '@' of the authority: a password may hold others.
std::size_t LastAt(std::string_view text, std::size_t at) {
  std::size_t last = at;
  for (std::size_t i = at; i < text.size() && !Breaks(text, i); ++i) {
    if (text[i] == '@') last = i;
  }
  return last;
}

}  // namespace

std::string MaskUrls(std::string text) {
  std::size_t at = text.find('@');
  if (at == std::string::npos) return text;
  std::string out;
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find('@', at + 1)) {
    std::size_t begin = BeginOfUser(text, at);
    if (begin == std::string_view::npos) continue;
    at = LastAt(text, at);
    out.append(text, copied, begin - copied).append(kMask);
    copied = at;
  }
  if (copied == 0) return text;
  return out.append(text, copied);
}

bool HoldsMask(std::string_view text) {
  constexpr std::string_view kMasked = "://***@";
  return text.find(kMasked) != std::string_view::npos;
}

}  // namespace yard
