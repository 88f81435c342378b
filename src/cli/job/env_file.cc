#include "cli/job/env_file.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::cli {
namespace {

bool StartsName(char c) {
  return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool IsInName(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// The value of one line, from left to right.
class ValueReader {
 public:
  ValueReader(std::string_view text, const EnvLookup& find) : text_(text), find_(find) {}

  Result<std::string> Read() {
    while (!text_.empty() && !EndsHere()) YARD_TRY(Part());
    return std::move(value_);
  }

 private:
  // A value ends at a blank; what follows may only be a comment.
  bool EndsHere() const { return text_.front() == ' ' || text_.front() == '\t'; }

  char Take() {
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }

  Status Part() {
    const char c = Take();
    if (c == '\'') return Single();
    if (c == '"') return Double();
    if (c == '`') return Refused();
    if (c == '$') return Variable();
    if (std::string_view(";&|<>()").contains(c)) return Refused();
    if (c == '\\' && !text_.empty())
      value_ += Take();
    else
      value_ += c;
    return {};
  }

  Status Single() {
    const std::size_t end = text_.find('\'');
    if (end == text_.npos) return Open();
    value_ += text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return {};
  }

  Status Double() {
    while (!text_.empty() && text_.front() != '"') {
      const char c = Take();
      if (c == '`') return Refused();
      if (c == '$') {
        YARD_TRY(Variable());
      } else if (c == '\\' && !text_.empty() &&
                 std::string_view("\"\\$`").contains(text_.front())) {
        value_ += Take();
      } else {
        value_ += c;
      }
    }
    if (text_.empty()) return Open();
    Take();
    return {};
  }

  // After the `$`.
  Status Variable() {
    if (text_.starts_with('(')) return Refused();
    if (text_.starts_with('{')) return Braced();
    if (text_.empty() || !StartsName(text_.front())) {
      value_ += '$';
      return {};
    }
    return Add(TakeName(), std::nullopt);
  }

  Status Braced() {
    Take();
    const std::string name = TakeName();
    const std::size_t end = text_.find('}');
    if (end == text_.npos) return Fail(Code::kInvalid, "a '${' has no '}'");
    std::string_view rest = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    std::optional<std::string> otherwise;
    if (rest.starts_with(":-")) otherwise = std::string(rest.substr(2));
    const bool plain = !otherwise || otherwise->find_first_of("$`") == std::string::npos;
    if (name.empty() || (!rest.empty() && !otherwise) || !plain)
      return Fail(Code::kInvalid, fmt::format("'${{{}{}}}' is not read", name, rest),
                  "write ${NAME} or ${NAME:-VALUE}");
    return Add(name, otherwise);
  }

  std::string TakeName() {
    const auto end = std::ranges::find_if_not(text_, IsInName);
    const std::string name(text_.begin(), end);
    text_.remove_prefix(name.size());
    return name;
  }

  Status Add(const std::string& name, const std::optional<std::string>& otherwise) {
    std::optional<std::string> value = find_(name);
    if (otherwise && (!value || value->empty())) value = otherwise;
    if (!value) return Fail(Code::kInvalid, fmt::format("${} is not set", name), "set it before");
    value_ += *value;
    return {};
  }

  static Status Refused() {
    return Fail(Code::kInvalid, "a command is not run here", "write its result, or quote the text");
  }
  static Status Open() { return Fail(Code::kInvalid, "a quote is open"); }

  std::string_view text_;
  const EnvLookup& find_;
  std::string value_;
};

Status ReadLine(std::string_view line, const EnvLookup& lookup, EnvValues& values) {
  line = Trim(line);
  if (line.empty() || line.starts_with('#')) return {};
  if (line.starts_with("export ")) line = Trim(line.substr(7));
  const std::size_t equals = line.find('=');
  const std::string name(line.substr(0, equals));
  const bool sound = equals != line.npos && !name.empty() && StartsName(name.front()) &&
                     std::ranges::all_of(name, IsInName);
  if (!sound) return Fail(Code::kInvalid, "this is not NAME=VALUE");
  const EnvLookup find = [&](const std::string& wanted) -> std::optional<std::string> {
    const auto own = values.find(wanted);
    if (own != values.end()) return own->second;
    return lookup ? lookup(wanted) : std::nullopt;
  };
  YARD_ASSIGN(std::string value, ValueReader(line.substr(equals + 1), find).Read());
  values[name] = std::move(value);
  return {};
}

}  // namespace

Status ReadEnvFile(std::string_view text, std::string_view origin, const EnvLookup& lookup,
                   EnvValues& values) {
  int number = 0;
  for (std::string_view line : Split(text, '\n')) {
    ++number;
    Status read = ReadLine(line, lookup, values);
    if (read) continue;
    Error error = read.error();
    error.message = fmt::format("{}:{}: {}", origin, number, error.message);
    return Fail(std::move(error));
  }
  return {};
}

}  // namespace yard::cli
