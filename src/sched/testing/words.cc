#include "sched/testing/words.h"

namespace yard::sched {
namespace {

bool IsBlank(const std::string& text) {
  return text.find_first_not_of(' ') == std::string::npos;
}

}  // namespace

std::vector<std::string> Cut(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c == '\n' ? ' ' : c;
    }
  }
  std::erase_if(parts, IsBlank);
  return parts;
}

std::int64_t Milli(const std::string& text) {
  const auto value = ParseMilli(text);
  YARD_CHECK(value.has_value());
  return *value;
}

Micros ParseSpan(const std::string& text) {
  const std::int64_t number = std::stoll(text);
  switch (text.back()) {
    case 's':
      return Seconds(number);
    case 'm':
      return Minutes(number);
    case 'd':
      return Days(number);
    default:
      return Hours(number);
  }
}

Words::Words(std::string_view text, Noun has_noun) {
  std::vector<std::string> words = Cut(text, ' ');
  if (has_noun == Noun::kPresent) {
    noun = words.front();
    words.erase(words.begin());
  }
  if (!words.empty() && words.front().find('=') == std::string::npos) {
    name = words.front();
    words.erase(words.begin());
  }
  for (const std::string& word : words) {
    const auto at = word.find('=');
    pairs.emplace_back(word.substr(0, at), at == std::string::npos ? "" : word.substr(at + 1));
  }
}

const std::string* Words::Find(const std::string& key) const {
  const auto at = std::ranges::find(pairs, key, &std::pair<std::string, std::string>::first);
  return at == pairs.end() ? nullptr : &at->second;
}

std::string Words::Text(const std::string& key, const std::string& otherwise) const {
  const std::string* found = Find(key);
  return found == nullptr ? otherwise : *found;
}

std::int64_t Words::Number(const std::string& key, std::int64_t otherwise) const {
  const std::string* found = Find(key);
  return found == nullptr ? otherwise : std::stoll(*found);
}

}  // namespace yard::sched
