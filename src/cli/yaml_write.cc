#include <algorithm>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/yaml.h"

namespace yard::cli {
namespace {

bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./@").contains(c);
}

// Whether the text can stand without quotes and still be read as a text.
bool IsPlain(std::string_view text) {
  constexpr std::string_view kReserved[] = {"true", "false", "null", "yes", "no",
                                            "on",   "off",   "y",    "n"};
  if (text.empty() || text.size() > 200 || !std::ranges::all_of(text, IsWordChar)) return false;
  if (!((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') || text[0] == '/'))
    return false;
  return std::ranges::find(kReserved, Lower(text)) == std::end(kReserved);
}

void AppendText(std::string& out, std::string_view text) {
  if (IsPlain(text)) {
    out += text;
  } else {
    // JSON's quoted form is also YAML's.
    AppendJsonString(out, text);
  }
}

bool IsEmpty(const json::value& value) {
  if (const json::object* object = value.if_object()) return object->empty();
  if (const json::array* array = value.if_array()) return array->empty();
  return true;
}

void AppendScalar(std::string& out, const json::value& value) {
  if (const json::string* text = value.if_string()) {
    AppendText(out, {text->data(), text->size()});
  } else {
    out += json::serialize(value);
  }
}

// Readers take a key for one only if its colon comes within 1,024 characters, unless it says that
// it is one.
void AppendKey(std::string& out, std::string_view key, std::size_t indent) {
  constexpr std::size_t kLongest = 1000;
  std::string text;
  AppendText(text, key);
  if (text.size() > kLongest) {
    out += "? " + text + '\n';
    out.append(indent, ' ');
  } else {
    out += text;
  }
  out += ':';
}

// Where the writer stands: at the start of a line's indentation or right behind "- ".
enum class At { kLineStart, kAfterDash };

void Append(std::string& out, const json::value& value, std::size_t indent, At at);

void AppendMembers(std::string& out, const json::object& object, std::size_t indent, At at) {
  for (const auto& [key, member] : object) {
    if (at == At::kLineStart) out.append(indent, ' ');
    at = At::kLineStart;
    AppendKey(out, {key.data(), key.size()}, indent);
    if (IsEmpty(member)) {
      out += ' ';
      AppendScalar(out, member);
      out += '\n';
    } else {
      out += '\n';
      Append(out, member, indent + 2, At::kLineStart);
    }
  }
}

void AppendItems(std::string& out, const json::array& array, std::size_t indent, At at) {
  for (const json::value& item : array) {
    if (at == At::kLineStart) out.append(indent, ' ');
    at = At::kLineStart;
    out += "- ";
    Append(out, item, indent + 2, At::kAfterDash);
  }
}

void Append(std::string& out, const json::value& value, std::size_t indent, At at) {
  if (IsEmpty(value)) {
    if (at == At::kLineStart) out.append(indent, ' ');
    AppendScalar(out, value);
    out += '\n';
  } else if (const json::object* object = value.if_object()) {
    AppendMembers(out, *object, indent, at);
  } else {
    AppendItems(out, value.get_array(), indent, at);
  }
}

}  // namespace

std::string WriteYaml(const json::value& value) {
  std::string out;
  Append(out, value, 0, At::kLineStart);
  return out;
}

}  // namespace yard::cli
