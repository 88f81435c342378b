#include "base/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_stack.hpp>

#include "base/json_text.h"
#include "base/trusted_json.h"
#include "base/utf8.h"

namespace yard {
namespace {

constexpr std::size_t kMaxDepth = 64;

Error ParseError(std::string_view text, std::size_t offset, std::string_view what) {
  std::string_view before = text.substr(0, std::min(offset, text.size()));
  auto line = std::ranges::count(before, '\n') + 1;
  std::size_t last_break = before.rfind('\n');
  std::size_t column =
      last_break == std::string_view::npos ? before.size() : before.size() - last_break - 1;
  return {Code::kInvalid,
          fmt::format("broken JSON at line {}, column {}: {}", line, column + 1, what),
          "send one JSON value, UTF-8, at most 64 levels deep"};
}

// Length of the valid UTF-8 sequence at the front of `text`, 0 if there is none.
std::size_t Utf8Length(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  std::size_t length = byte(0) < 0x80       ? 1
                       : byte(0) >> 5 == 6  ? 2
                       : byte(0) >> 4 == 14 ? 3
                       : byte(0) >> 3 == 30 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
  }
  bool overlong = (length == 2 && byte(0) < 0xc2) ||
                  (length == 3 && byte(0) == 0xe0 && byte(1) < 0xa0) ||
                  (length == 4 && byte(0) == 0xf0 && byte(1) < 0x90);
  bool outside = (length == 3 && byte(0) == 0xed && byte(1) > 0x9f) ||
                 (length == 4 && (byte(0) > 0xf4 || (byte(0) == 0xf4 && byte(1) > 0x8f)));
  return overlong || outside ? 0 : length;
}

void AppendControl(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  }
}

// Bytes that stand for themselves inside quotes.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

std::size_t PlainLength(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && kPlain[static_cast<std::uint8_t>(text[length])]) ++length;
  return length;
}

void AppendText(std::string& out, const json::value& value);

void AppendText(std::string& out, const json::object& object) {
  out += '{';
  for (bool first = true; const auto& [key, member] : object) {
    if (!first) out += ',';
    first = false;
    AppendJsonString(out, {key.data(), key.size()});
    out += ':';
    AppendText(out, member);
  }
  out += '}';
}

void AppendText(std::string& out, const json::array& array) {
  out += '[';
  for (bool first = true; const json::value& item : array) {
    if (!first) out += ',';
    first = false;
    AppendText(out, item);
  }
  out += ']';
}

void AppendNumber(std::string& out, double number) {
  constexpr double kMostWhole = 1e15;
  const bool is_whole = number == std::floor(number) && std::abs(number) < kMostWhole;
  out += is_whole ? fmt::to_string(static_cast<std::int64_t>(number)) : fmt::format("{}", number);
}

void AppendText(std::string& out, const json::value& value) {
  if (const json::object* object = value.if_object()) {
    AppendText(out, *object);
  } else if (const json::array* array = value.if_array()) {
    AppendText(out, *array);
  } else if (const json::string* text = value.if_string()) {
    AppendJsonString(out, {text->data(), text->size()});
  } else if (const double* number = value.if_double()) {
    AppendNumber(out, *number);
  } else {
    out += json::serialize(value);
  }
}

void AppendPretty(std::string& out, const json::value& value, std::size_t depth) {
  auto indent = [&](std::size_t levels) { out.append("\n").append(levels * 2, ' '); };
  if (const json::object* object = value.if_object(); object != nullptr && !object->empty()) {
    out += '{';
    for (bool first = true; const auto& [key, member] : *object) {
      if (!first) out += ',';
      first = false;
      indent(depth + 1);
      AppendJsonString(out, {key.data(), key.size()});
      out += ": ";
      AppendPretty(out, member, depth + 1);
    }
    indent(depth);
    out += '}';
  } else if (const json::array* array = value.if_array(); array != nullptr && !array->empty()) {
    out += '[';
    for (bool first = true; const json::value& item : *array) {
      if (!first) out += ',';
      first = false;
      indent(depth + 1);
      AppendPretty(out, item, depth + 1);
    }
    indent(depth);
    out += ']';
  } else {
    AppendText(out, value);
  }
}

}  // namespace

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    std::size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

namespace {

// Takes what the parser reads and does nothing with it.
struct Ignorer {
  // Boost names these.
  // NOLINTBEGIN(readability-identifier-naming)
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();
  // NOLINTEND(readability-identifier-naming)
  using Text = json::string_view;
  using Bad = json::error_code;

  bool on_document_begin(Bad&) { return true; }
  bool on_document_end(Bad&) { return true; }
  bool on_object_begin(Bad&) { return true; }
  bool on_object_end(std::size_t, Bad&) { return true; }
  bool on_array_begin(Bad&) { return true; }
  bool on_array_end(std::size_t, Bad&) { return true; }
  bool on_key_part(Text, std::size_t, Bad&) { return true; }
  bool on_key(Text, std::size_t, Bad&) { return true; }
  bool on_string_part(Text, std::size_t, Bad&) { return true; }
  bool on_string(Text, std::size_t, Bad&) { return true; }
  bool on_number_part(Text, Bad&) { return true; }
  bool on_int64(std::int64_t, Text, Bad&) { return true; }
  bool on_uint64(std::uint64_t, Text, Bad&) { return true; }
  bool on_double(double, Text, Bad&) { return true; }
  bool on_bool(bool, Bad&) { return true; }
  bool on_null(Bad&) { return true; }
  bool on_comment_part(Text, Bad&) { return true; }
  bool on_comment(Text, Bad&) { return true; }
};

// Builds the value and counts the members of all objects as they stand in the text.
struct Builder : Ignorer {
  json::value_stack stack;
  std::size_t members = 0;
  std::size_t values_left = 0;

  bool on_document_begin(Bad&) {
    stack.reset();
    return true;
  }
  bool on_object_begin(Bad& bad) { return Another(bad); }
  bool on_array_begin(Bad& bad) { return Another(bad); }
  bool on_object_end(std::size_t count, Bad&) {
    members += count;
    stack.push_object(count);
    return true;
  }
  bool on_array_end(std::size_t count, Bad&) {
    stack.push_array(count);
    return true;
  }
  bool on_key_part(Text text, std::size_t, Bad&) { return Part(text); }
  bool on_key(Text text, std::size_t, Bad&) {
    stack.push_key(text);
    return true;
  }
  bool on_string_part(Text text, std::size_t, Bad&) { return Part(text); }
  bool on_string(Text text, std::size_t, Bad& bad) {
    stack.push_string(text);
    return Another(bad);
  }
  bool on_int64(std::int64_t number, Text, Bad& bad) {
    stack.push_int64(number);
    return Another(bad);
  }
  bool on_uint64(std::uint64_t number, Text, Bad& bad) {
    stack.push_uint64(number);
    return Another(bad);
  }
  // The parser's own number may be off in its last bit.
  bool on_double(double number, Text text, Bad& bad) {
    double exact = 0;
    const char* end = text.data() + text.size();
    auto [at, error] = std::from_chars(text.data(), end, exact);
    stack.push_double(error == std::errc() && at == end ? exact : number);
    return Another(bad);
  }
  bool on_bool(bool flag, Bad& bad) {
    stack.push_bool(flag);
    return Another(bad);
  }
  bool on_null(Bad& bad) {
    stack.push_null();
    return Another(bad);
  }

 private:
  bool Another(Bad& bad) {
    if (values_left == 0) bad = json::error::array_too_large;
    return values_left-- > 0;
  }
  bool Part(Text text) {
    stack.push_chars(text);
    return true;
  }
};

// Stops the parser behind the first key that its object has already.
struct RepetitionFinder : Ignorer {
  std::vector<std::set<std::string, std::less<>>> open;
  std::string key;

  bool on_object_begin(Bad&) {
    open.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t, Bad&) {
    open.pop_back();
    return true;
  }
  bool on_key_part(Text text, std::size_t, Bad&) {
    key.append(text.data(), text.size());
    return true;
  }
  bool on_key(Text text, std::size_t, Bad& bad) {
    key.append(text.data(), text.size());
    if (!open.back().insert(key).second) {
      bad = json::error::extra_data;
      return false;
    }
    key.clear();
    return true;
  }
};

json::parse_options Options() {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  return options;
}

Error TooManyValues(std::size_t most) {
  return {Code::kTooLarge, fmt::format("the JSON text holds more than {} values", most),
          "send it in several parts"};
}

Error RepetitionError(std::string_view text) {
  json::basic_parser<RepetitionFinder> parser(Options());
  json::error_code error;
  std::size_t offset = parser.write_some(false, text.data(), text.size(), error);
  const std::string& key = parser.handler().key;
  Error found = ParseError(text, offset, fmt::format("the key '{}' stands twice", key));
  found.details = "send every key of an object once";
  found.fields.push_back({key, "stands twice in one object"});
  return found;
}

// What the built value says about the text it came from.
struct Tally {
  std::size_t members = 0;
  bool finite = true;  // a number such as 1e999 becomes infinite, which JSON cannot say

  void Add(const json::value& value) {
    if (const double* number = value.if_double()) {
      finite = finite && std::isfinite(*number);
    } else if (const json::array* array = value.if_array()) {
      for (const json::value& item : *array) Add(item);
    } else if (const json::object* object = value.if_object()) {
      members += object->size();
      for (const auto& pair : *object) Add(pair.value());
    }
  }
};

Result<json::value> Parse(std::string_view text, std::size_t most_values) {
  json::basic_parser<Builder> parser(Options());
  parser.handler().values_left = most_values;
  json::error_code error;
  std::size_t offset = parser.write_some(false, text.data(), text.size(), error);
  if (error == json::error::array_too_large) return Fail(TooManyValues(most_values));
  if (error) return Fail(ParseError(text, offset, error.message()));
  if (std::string_view rest = text.substr(offset);
      rest.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    return Fail(ParseError(text, offset, "text after the value"));
  }
  json::value value = parser.handler().stack.release();
  Tally tally;
  tally.Add(value);
  if (!tally.finite) {
    return Fail(Code::kInvalid, "a number is too large", "numbers must be below 1.8e308");
  }
  // An object keeps one member of each name, so a name that stood twice is missed here.
  if (tally.members != parser.handler().members) return Fail(RepetitionError(text));
  return value;
}

}  // namespace

Result<json::value> ParseJson(std::string_view text) {
  return Parse(text, kMostValues);
}

Result<json::value> ParseTrustedJson(std::string_view text) {
  return Parse(text, std::numeric_limits<std::size_t>::max());
}

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = PlainLength(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t length = static_cast<std::uint8_t>(text[0]) < 0x80 ? 1 : Utf8Length(text);
    if (length == 0) {
      out += "\xef\xbf\xbd";
      length = 1;
    } else if (length == 1) {
      AppendControl(out, text[0]);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  out += '"';
}

std::string JsonText(const json::value& value) {
  std::string out;
  AppendText(out, value);
  return out;
}

std::string JsonText(const json::object& value) {
  std::string out;
  AppendText(out, value);
  return out;
}

std::string JsonText(const json::array& value) {
  std::string out;
  AppendText(out, value);
  return out;
}

std::string PrettyJson(const json::value& value) {
  std::string out;
  AppendPretty(out, value, 0);
  return out;
}

}  // namespace yard
