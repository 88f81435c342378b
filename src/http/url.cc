#include "http/url.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::http {
namespace {

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// The byte that `escape` ("%41...") stands for.
Result<char> DecodeEscape(std::string_view escape) {
  auto high = escape.size() > 1 ? HexDigit(escape[1]) : std::nullopt;
  auto low = escape.size() > 2 ? HexDigit(escape[2]) : std::nullopt;
  if (!high || !low) {
    return Fail(Code::kInvalid, "a '%' in the URL is not followed by two hexadecimal digits",
                "write a literal '%' as %25");
  }
  int byte = *high * 16 + *low;
  if (byte == 0)
    return Fail(Code::kInvalid, "the URL contains an encoded NUL byte", "leave it out");
  return static_cast<char>(byte);
}

Result<std::string> DecodeForm(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return DecodePercent(spaced);
}

}  // namespace

Result<std::string> DecodePercent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    YARD_ASSIGN(char byte, DecodeEscape(text.substr(i)));
    out += byte;
    i += 2;
  }
  return out;
}

std::string EncodePercent(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (IsUnreserved(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

Result<std::vector<QueryPair>> ParseQuery(std::string_view query) {
  std::vector<QueryPair> pairs;
  for (std::string_view piece : Split(query, '&')) {
    if (piece.empty()) continue;
    std::size_t equals = std::min(piece.find('='), piece.size());
    YARD_ASSIGN(std::string key, DecodeForm(piece.substr(0, equals)));
    YARD_ASSIGN(std::string value, DecodeForm(piece.substr(std::min(equals + 1, piece.size()))));
    pairs.emplace_back(std::move(key), std::move(value));
  }
  return pairs;
}

Result<std::vector<std::string>> SplitPath(std::string_view path) {
  std::vector<std::string> segments;
  for (std::string_view piece : Split(path, '/')) {
    if (piece.empty()) continue;
    YARD_ASSIGN(std::string segment, DecodePercent(piece));
    if (segment == "." || segment == "..") {
      return Fail(Code::kInvalid, "the path contains '.' or '..' as a segment",
                  "send the path without it");
    }
    segments.push_back(std::move(segment));
  }
  return segments;
}

}  // namespace yard::http
