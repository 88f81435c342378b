#include "cli/cluster/attach.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"
#include "cli/yaml.h"

namespace yard::cli {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::string_view kSection = "clusters:";

json::object OptionsOf(const ClusterEntry& entry) {
  json::object options{{"engine", "slurm"}};
  for (const auto& [option, value] : entry.options)
    if (!value.empty()) options[option] = value;
  return options;
}

std::string SectionText(const ClusterEntry& entry, std::size_t indent) {
  const std::string before(indent, ' ');
  std::string text = fmt::format("{}{}:\n", before, entry.name);
  const std::string options = WriteYaml(OptionsOf(entry));
  for (std::string_view line : Split(Trim(options), '\n'))
    text += fmt::format("{0}{0}{1}\n", before, line);
  return text;
}

Result<json::value> Parsed(std::string_view text) {
  YARD_ASSIGN(std::vector<YamlDocument> documents, ReadYaml(text));
  if (documents.empty()) return json::object();
  if (documents.size() > 1 || !documents.front().value().is_object())
    return Fail(Code::kUnsupported, "it is not one list of settings");
  return documents.front().value();
}

std::size_t IndentOf(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// As the sections that are there are indented.
std::size_t IndentAfter(const std::vector<std::string_view>& lines, std::size_t head) {
  for (std::size_t at = head + 1; at < lines.size(); ++at) {
    const std::string_view line = Trim(lines[at]);
    if (line.empty() || line.starts_with('#')) continue;
    return std::max(IndentOf(lines[at]), std::size_t{1});
  }
  return kIndent;
}

std::string Inserted(std::string_view file, const ClusterEntry& entry) {
  std::vector<std::string_view> lines = Split(file, '\n');
  const auto head = std::ranges::find_if(lines, [](std::string_view line) {
    return line.starts_with(kSection) &&
           (Trim(line) == kSection || Trim(line.substr(kSection.size())).starts_with('#'));
  });
  if (head == lines.end()) {
    std::string text(file);
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    return text + EntryText(entry);
  }
  const auto at = static_cast<std::size_t>(head - lines.begin());
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("{}{}", lines[i], i + 1 < lines.size() ? "\n" : "");
    if (i != at) continue;
    if (i + 1 == lines.size()) text += '\n';
    text += SectionText(entry, IndentAfter(lines, at));
  }
  return text;
}

}  // namespace

std::string EntryText(const ClusterEntry& entry) {
  return fmt::format("{}\n{}", kSection, SectionText(entry, kIndent));
}

Result<std::string> WithEntry(std::string_view file, const ClusterEntry& entry) {
  YARD_ASSIGN(json::value before, Parsed(file));
  json::object wanted = before.get_object();
  json::value& clusters = wanted["clusters"];
  if (clusters.is_null()) clusters = json::object();
  auto unsupported = [] {
    return Fail(
        Code::kUnsupported, "no place for the cluster is found in it",
        "add the section under `clusters:` yourself; without --server-folder it is printed");
  };
  if (!clusters.is_object()) return unsupported();
  const json::value section = OptionsOf(entry);
  if (const json::value* there = clusters.get_object().if_contains(entry.name)) {
    if (*there == section) return std::string(file);
    return Fail(Code::kConflict, fmt::format("it has another section '{}'", entry.name),
                "take that section out, and repeat");
  }
  clusters.get_object()[entry.name] = section;
  std::string text = Inserted(file, entry);
  const Result<json::value> after = Parsed(text);
  if (!after || *after != json::value(wanted)) return unsupported();
  return text;
}

}  // namespace yard::cli
