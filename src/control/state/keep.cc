#include "control/state/keep.h"

#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;

struct Part {
  std::string_view project;  // empty: all others
  std::int64_t number = 0;
};

Result<std::vector<Part>> ReadParts(std::string_view setting, std::string_view text) {
  std::vector<Part> parts;
  for (std::string_view one : Split(text, ',')) {
    one = Trim(one);
    const std::size_t equals = one.find('=');
    const bool usual = equals == std::string_view::npos;
    const std::optional<std::int64_t> number = ParseInt(Trim(one.substr(usual ? 0 : equals + 1)));
    if (!number || *number < 1 || *number > kMost) {
      return Fail(Code::kInvalid, fmt::format("'{}' in {} is no number from 1 on", one, setting),
                  "say a number, and PROJECT=NUMBER for single projects");
    }
    parts.push_back({usual ? std::string_view() : Trim(one.substr(0, equals)), *number});
  }
  return parts;
}

}  // namespace

const Keep& KeepRules::Of(std::string_view project) const {
  auto own = of_project.find(project);
  return own == of_project.end() ? usual : own->second;
}

Result<KeepRules> ParseKeepRules(const KeepTexts& texts) {
  struct Reading {
    std::vector<Part> parts;
    void (*set)(Keep&, std::int64_t);
  };
  YARD_ASSIGN(std::vector<Part> days, ReadParts("ended-days", texts.days));
  YARD_ASSIGN(std::vector<Part> workloads, ReadParts("ended-workloads", texts.workloads));
  YARD_ASSIGN(std::vector<Part> mebibytes, ReadParts("ended-mib", texts.mebibytes));
  const Reading readings[] = {
      {std::move(days), [](Keep& keep, std::int64_t n) { keep.age = Days(n); }},
      {std::move(workloads), [](Keep& keep, std::int64_t n) { keep.workloads = n; }},
      {std::move(mebibytes), [](Keep& keep, std::int64_t n) { keep.bytes = n << 20; }}};
  KeepRules rules;
  for (const Reading& reading : readings) {
    for (const Part& part : reading.parts) {
      if (part.project.empty()) reading.set(rules.usual, part.number);
    }
  }
  for (const Reading& reading : readings) {
    for (const Part& part : reading.parts) {
      if (part.project.empty()) continue;
      auto [own, is_new] = rules.of_project.try_emplace(std::string(part.project), rules.usual);
      reading.set(own->second, part.number);
    }
  }
  return rules;
}

}  // namespace yard::control
