#include "engine/slurm/nodes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/slurm/hostlist.h"
#include "engine/slurm/rows.h"

namespace yard::engine::slurm {
namespace {

// Words of a node's state with which no new job starts on it.
constexpr std::array<std::string_view, 15> kNotReady = {
    "DOWN",         "DRAIN",         "DRAINED", "DRAINING", "FAIL",
    "FAILING",      "MAINT",         "ERROR",   "UNKNOWN",  "INVAL",
    "POWERED_DOWN", "POWERING_DOWN", "REBOOT",  "FUTURE",   "NOT_RESPONDING"};

constexpr std::int64_t kGpusMost = 1024;

std::vector<std::string> Words(std::string_view text, char separator) {
  std::vector<std::string> words;
  for (std::string_view word : Split(text, separator))
    if (!Trim(word).empty()) words.emplace_back(Trim(word));
  return words;
}

// Parts at commas that stand outside of parentheses.
std::vector<std::string_view> GresParts(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '(') ++depth;
    if (at < text.size() && text[at] == ')') --depth;
    if (at < text.size() && (text[at] != ',' || depth > 0)) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return parts;
}

std::optional<GpuKind> ParseGpu(std::string_view part) {
  const std::vector<std::string_view> words = Split(Trim(part.substr(0, part.find('('))), ':');
  if (words.size() < 2 || words.size() > 3 || words[0] != "gpu") return std::nullopt;
  const std::optional<std::int64_t> count = ParseInt(words.back());
  if (!count || *count < 0 || *count > kGpusMost) return std::nullopt;
  return GpuKind{words.size() == 3 ? std::string(words[1]) : std::string(), *count, 0};
}

// "IDLE+DRAIN", "DOWN*": the star stands for one that does not answer.
std::vector<std::string> StateWords(std::string_view text) {
  std::vector<std::string> words;
  for (std::string word : Words(text, '+')) {
    const bool silent = word.ends_with('*');
    while (!word.empty() && !(word.back() >= 'A' && word.back() <= 'Z')) word.pop_back();
    words.push_back(std::move(word));
    if (silent) words.emplace_back("NOT_RESPONDING");
  }
  return words;
}

Node ParseNode(const Row& row) {
  Node node;
  node.name = Field(row, "NodeName");
  node.address = Field(row, "NodeAddr");
  node.cpus = ParseInt(Field(row, "CPUEfctv")).value_or(0);
  if (node.cpus == 0) node.cpus = ParseInt(Field(row, "CPUTot")).value_or(0);
  node.memory = Mebibytes(ParseInt(Field(row, "RealMemory")).value_or(0));
  node.gpus = ParseGres(Field(row, "Gres"));
  for (const GpuKind& used : ParseGres(Field(row, "GresUsed"))) {
    auto same = std::ranges::find(node.gpus, used.type, &GpuKind::type);
    if (same != node.gpus.end()) same->used = std::min(used.count, same->count);
  }
  node.partitions = Words(Field(row, "Partitions"), ',');
  node.features = Words(Field(row, "ActiveFeatures"), ',');
  node.state = StateWords(Field(row, "State"));
  node.reason = Field(row, "Reason");
  return node;
}

}  // namespace

std::int64_t Node::gpu_count() const {
  std::int64_t sum = 0;
  for (const GpuKind& kind : gpus) sum += kind.count;
  return sum;
}

std::string Node::Trouble() const {
  for (const std::string& word : state) {
    if (std::ranges::find(kNotReady, word) == kNotReady.end()) continue;
    std::string all;
    for (const std::string& one : state) all += (all.empty() ? "" : "+") + one;
    return reason.empty() ? fmt::format("Slurm says {}", all)
                          : fmt::format("Slurm says {}: {}", all, reason);
  }
  return {};
}

std::vector<std::string> NodesCommand() {
  return {"scontrol", "--oneliner", "--detail", "show", "node"};
}

std::vector<std::string> ReservationsCommand() {
  return {"scontrol", "--oneliner", "show", "reservation"};
}

std::vector<GpuKind> ParseGres(std::string_view text) {
  std::vector<GpuKind> kinds;
  for (std::string_view part : GresParts(text)) {
    std::optional<GpuKind> kind = ParseGpu(part);
    if (!kind) continue;
    auto same = std::ranges::find(kinds, kind->type, &GpuKind::type);
    if (same == kinds.end())
      kinds.push_back(std::move(*kind));
    else
      same->count = std::min(same->count + kind->count, kGpusMost);
  }
  return kinds;
}

std::vector<Node> ParseNodes(std::string_view text) {
  std::vector<Node> nodes;
  for (const Row& row : ParseRows(text))
    if (!Field(row, "NodeName").empty()) nodes.push_back(ParseNode(row));
  return nodes;
}

std::map<std::string, std::vector<std::string>> ParseReservations(std::string_view text) {
  std::map<std::string, std::vector<std::string>> by_node;
  for (const Row& row : ParseRows(text)) {
    const std::string_view name = Field(row, "ReservationName");
    if (name.empty() || Field(row, "State") != "ACTIVE") continue;
    Result<std::vector<std::string>> nodes = ExpandHosts(Field(row, "Nodes"));
    if (!nodes) continue;
    for (const std::string& node : *nodes) by_node[node].emplace_back(name);
  }
  return by_node;
}

}  // namespace yard::engine::slurm
