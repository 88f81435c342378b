#include "cli/yaml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>
#include <boost/json/value.hpp>

#include "base/utf8.h"

namespace yard::cli {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxValues = 100'000;

std::unexpected<Error> FailAt(int line, std::string_view what, std::string details = {}) {
  return Fail(Code::kInvalid, fmt::format("line {}: {}", line, what), std::move(details));
}

int LineOfNode(const YAML::Node& node) {
  return node.Mark().line + 1;
}

std::optional<std::int64_t> ParseBase(std::string_view digits, int base) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return {};
  return number;
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Whether the text is written as a decimal number; "1." and ".5" are, "1e" and "-" are not.
bool LooksNumeric(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !(IsDigit(text[0]) || (text[0] == '.' && text.size() > 1))) return false;
  return std::ranges::all_of(
             text, [](char c) { return IsDigit(c) || std::string_view(".eE+-").contains(c); }) &&
         IsDigit(text.back() == '.' ? text[text.size() - 2] : text.back());
}

std::optional<double> ParseDecimal(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, text) != names.end();
}

std::optional<json::value> ReadInteger(std::string_view text) {
  if (text.starts_with("0x")) {
    if (auto number = ParseBase(text.substr(2), 16)) return json::value(*number);
  } else if (text.starts_with("0o")) {
    if (auto number = ParseBase(text.substr(2), 8)) return json::value(*number);
  } else if (auto number = ParseBase(text.substr(text.starts_with('+') ? 1 : 0), 10)) {
    return json::value(*number);
  }
  return std::nullopt;
}

Result<json::value> ReadPlain(const std::string& text, int line) {
  if (IsOneOf(text, {"", "~", "null", "Null", "NULL"})) return json::value(nullptr);
  if (IsOneOf(text, {"true", "True", "TRUE"})) return json::value(true);
  if (IsOneOf(text, {"false", "False", "FALSE"})) return json::value(false);
  if (auto integer = ReadInteger(text)) return *std::move(integer);
  if (IsOneOf(text, {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "-.inf", "-.Inf", "+.inf"})) {
    return FailAt(line, fmt::format("{} is not a number that can be sent", text));
  }
  if (LooksNumeric(text)) {
    if (auto number = ParseDecimal(text)) return json::value(*number);
  }
  return json::value(text);
}

std::string Member(const std::string& path, const std::string& key) {
  return path.empty() ? key : fmt::format("{}.{}", path, key);
}

class Converter {
 public:
  explicit Converter(std::map<std::string, int>& lines) : lines_(lines) {}

  Result<json::value> Convert(const YAML::Node& node, const std::string& path, int depth) {
    int line = LineOfNode(node);
    lines_.emplace(path, line);
    if (depth > kMaxDepth) return FailAt(line, "nested too deeply (64 levels at most)");
    if (++count_ > kMaxValues) return FailAt(line, "too many values (100,000 at most)");
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return json::value(nullptr);
      case YAML::NodeType::Scalar:
        return ConvertScalar(node, line);
      case YAML::NodeType::Sequence:
        return ConvertList(node, path, depth);
      case YAML::NodeType::Map:
        return ConvertMap(node, path, depth);
    }
    return json::value(nullptr);
  }

 private:
  static Result<json::value> ConvertScalar(const YAML::Node& node, int line) {
    const std::string& tag = node.Tag();
    if (tag == "?" || tag.empty()) return ReadPlain(node.Scalar(), line);
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return json::value(node.Scalar());
    if (tag.starts_with("tag:yaml.org,2002:")) return ReadPlain(node.Scalar(), line);
    return FailAt(line, fmt::format("the tag {} is not known", tag));
  }

  Result<json::value> ConvertList(const YAML::Node& node, const std::string& path, int depth) {
    json::array list;
    for (const YAML::Node& item : node) {
      YARD_ASSIGN(json::value value,
                  Convert(item, fmt::format("{}[{}]", path, list.size()), depth + 1));
      list.push_back(std::move(value));
    }
    return json::value(std::move(list));
  }

  Result<json::value> ConvertMap(const YAML::Node& node, const std::string& path, int depth) {
    json::object object;
    for (const auto& member : node) {
      int line = LineOfNode(member.first);
      if (!member.first.IsScalar()) return FailAt(line, "a key must be a plain text");
      const std::string& key = member.first.Scalar();
      if (key == "<<") return FailAt(line, "merge keys are not supported", "repeat the fields");
      if (object.contains(key)) return FailAt(line, fmt::format("'{}' appears twice", key));
      std::string inside = Member(path, key);
      lines_.emplace(inside, line);
      YARD_ASSIGN(json::value value, Convert(member.second, inside, depth + 1));
      object.emplace(key, std::move(value));
    }
    return json::value(std::move(object));
  }

  std::map<std::string, int>& lines_;
  std::size_t count_ = 0;
};

// YAML is printable text; yaml-cpp takes some control characters for signals of its own.
Status CheckCharacters(std::string_view text) {
  auto is_control = [](char c) {
    return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
  };
  const auto* found = std::ranges::find_if(text, is_control);
  if (found == text.end()) return {};
  auto line = std::count(text.begin(), found, '\n') + 1;
  return FailAt(static_cast<int>(line), "a control character stands in the text",
                "write it as an escape in double quotes, such as \"\\x1b\"");
}

// Walks a text before it is loaded. yaml-cpp takes a token that can begin no value (a ',' between
// blocks) for an empty document and leaves it where it is, so its loader would make such documents
// for ever; and it builds every value before anyone can count them.
class Walker final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.pos <= last_start_) throw YAML::ParserException(mark, "nothing can begin here");
    last_start_ = mark.pos;
    Count(mark);
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { Count(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { Count(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string&) override {
    Count(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Count(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Count(mark);
  }
  void OnMapEnd() override {}

 private:
  void Count(const YAML::Mark& mark) {
    // A value of a mapping comes with its key.
    if (++count_ > 2 * kMaxValues) {
      throw YAML::ParserException(mark, "too many values (100,000 at most)");
    }
  }

  int last_start_ = -1;
  std::size_t count_ = 0;
};

void Walk(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Walker walker;
  while (parser.HandleNextDocument(walker)) continue;
}

Result<std::vector<YAML::Node>> Load(const std::string& text) {
  try {
    Walk(text);
    return YAML::LoadAll(text);
  } catch (const YAML::ParserException& error) {
    return Fail(Code::kInvalid, fmt::format("line {}, column {}: broken YAML: {}",
                                            error.mark.line + 1, error.mark.column + 1, error.msg));
  } catch (const YAML::Exception& error) {
    return Fail(Code::kInvalid, fmt::format("broken YAML: {}", error.what()));
  }
}

}  // namespace

YamlDocument::YamlDocument(json::value value, std::map<std::string, int> lines)
    : value_(std::make_unique<json::value>(std::move(value))), lines_(std::move(lines)) {}
YamlDocument::YamlDocument(YamlDocument&&) noexcept = default;
YamlDocument& YamlDocument::operator=(YamlDocument&&) noexcept = default;
YamlDocument::~YamlDocument() = default;

int YamlDocument::LineOf(std::string_view path) const {
  while (true) {
    if (auto found = lines_.find(std::string(path)); found != lines_.end()) return found->second;
    std::size_t cut = path.find_last_of(".[");
    path = cut == std::string_view::npos ? std::string_view() : path.substr(0, cut);
    if (path.empty() && !lines_.contains("")) return 1;
  }
}

Result<std::vector<YamlDocument>> ReadYaml(std::string_view text) {
  if (!IsUtf8(text)) {
    return Fail(Code::kInvalid, "broken YAML: the text is not UTF-8", "save the file as UTF-8");
  }
  YARD_TRY(CheckCharacters(text));
  YARD_ASSIGN(std::vector<YAML::Node> nodes, Load(std::string(text)));
  std::vector<YamlDocument> documents;
  try {
    for (const YAML::Node& node : nodes) {
      std::map<std::string, int> lines;
      YARD_ASSIGN(json::value value, Converter(lines).Convert(node, "", 0));
      if (!value.is_null()) documents.emplace_back(std::move(value), std::move(lines));
    }
  } catch (const YAML::Exception& error) {
    return Fail(Code::kInvalid, fmt::format("broken YAML: {}", error.what()));
  }
  return documents;
}

}  // namespace yard::cli
