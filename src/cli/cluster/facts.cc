#include "cli/cluster/facts.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/uuid.h"
#include "cli/cluster/names.h"

namespace yard::cli {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20;
constexpr std::size_t kMostGpus = 64;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 40;
constexpr std::size_t kLongestShown = 60;
constexpr std::size_t kLongestType = 60;
constexpr std::size_t kChecksum = 64;
constexpr std::string_view kEnd = "\nend\n";

struct Answer {
  HostFacts facts;
  std::map<std::string, std::string> type_by_file;
  std::map<std::string, std::int64_t> memory_by_type;
};

std::optional<std::int64_t> Number(std::string_view text) {
  const std::optional<std::int64_t> number = ParseInt(text);
  return number && *number >= 0 && *number <= kMostNumber ? number : std::nullopt;
}

bool TakeNumber(std::string_view text, std::int64_t& target) {
  const std::optional<std::int64_t> number = Number(text);
  if (number) target = *number;
  return number.has_value();
}

bool TakeWord(std::string_view text, std::string& target, bool fits) {
  if (fits) target = text;
  return fits;
}

bool IsChecksum(std::string_view text) {
  return text.size() == kChecksum && std::ranges::all_of(text, [](char c) {
           return std::string_view("0123456789abcdef").contains(c);
         });
}

// "NVIDIA A100-SXM4-40GB" is "a100-sxm4-40gb": a word for Slurm's settings.
std::string TypeOf(std::string_view model) {
  std::string type;
  for (const char c : Lower(model)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain)
      type += c;
    else if (!type.empty() && type.back() != '-')
      type += '-';
  }
  if (type.starts_with("nvidia-")) type.erase(0, std::string_view("nvidia-").size());
  type.resize(std::min(type.size(), kLongestType));
  while (type.ends_with('-')) type.pop_back();
  return type;
}

bool TakeTopology(HostFacts& facts, std::string_view value) {
  constexpr std::int64_t kMost = 65536;
  const std::vector<std::string_view> words = Split(value, ' ');
  return words.size() == 3 && TakeNumber(words[0], facts.sockets) &&
         TakeNumber(words[1], facts.cores) && TakeNumber(words[2], facts.threads) &&
         std::max({facts.sockets, facts.cores, facts.threads}) <= kMost;
}

// "CLIENT PORT SERVER PORT", as sshd says it.
bool TakeConnection(HostFacts& facts, std::string_view value) {
  const std::vector<std::string_view> words = Split(value, ' ');
  return words.size() == 4 && TakeWord(words[2], facts.address, IsAddress(words[2])) &&
         TakeNumber(words[3], facts.ssh_port);
}

bool TakeSystem(HostFacts& facts, std::string_view value) {
  facts.system = Trim(value);
  return std::ranges::all_of(facts.system, [](char c) { return c >= ' ' && c <= '~'; });
}

bool TakeGpu(HostFacts& facts, std::string_view value) {
  constexpr std::string_view kBegin = "/dev/nvidia";
  if (!value.starts_with(kBegin) || !Number(value.substr(kBegin.size()))) return false;
  facts.gpus.push_back({.file = std::string(value), .type = {}});
  return facts.gpus.size() <= kMostGpus;
}

bool TakeMinor(Answer& answer, std::string_view value) {
  const std::size_t blank = value.find(' ');
  const std::optional<std::int64_t> minor = Number(value.substr(0, blank));
  if (!minor) return false;
  answer.type_by_file[fmt::format("/dev/nvidia{}", *minor)] =
      blank == value.npos ? std::string() : TypeOf(value.substr(blank + 1));
  return true;
}

bool TakeModel(Answer& answer, std::string_view value) {
  const std::size_t blank = value.find(' ');
  const std::optional<std::int64_t> memory = Number(value.substr(0, blank));
  if (!memory || blank == value.npos) return false;
  answer.memory_by_type[TypeOf(value.substr(blank + 1))] = *memory;
  return true;
}

bool TakeAccount(HostFacts& facts, std::string_view value) {
  const std::vector<std::string_view> words = Split(value, ' ');
  HostAccount account;
  if (words.size() != 2 || !TakeNumber(words[0], account.uid) || !TakeNumber(words[1], account.gid))
    return false;
  facts.account = account;
  return true;
}

bool TakePackage(HostFacts& facts, std::string_view value) {
  const std::vector<std::string_view> words = Split(value, ' ');
  if (words.size() != 2) return false;
  facts.packages[std::string(words[0])] = words[1];
  return true;
}

bool TakeFile(HostFacts& facts, std::string_view value) {
  const std::size_t blank = value.find(' ');
  if (blank == value.npos) return false;
  facts.files[std::string(value.substr(0, blank))] += std::string(value.substr(blank + 1)) + '\n';
  return true;
}

using Taker = std::function<bool(Answer&, std::string_view)>;

Taker OfFacts(bool (*take)(HostFacts&, std::string_view)) {
  return [take](Answer& answer, std::string_view value) { return take(answer.facts, value); };
}

Taker NumberOf(std::int64_t HostFacts::* member) {
  return [member](Answer& answer, std::string_view value) {
    return TakeNumber(value, answer.facts.*member);
  };
}

Taker ChecksumOf(std::string HostFacts::* member) {
  return [member](Answer& answer, std::string_view value) {
    return TakeWord(value, answer.facts.*member, IsChecksum(value));
  };
}

Taker WordOf(std::string HostFacts::* member, bool (*fits)(std::string_view)) {
  return [member, fits](Answer& answer, std::string_view value) {
    return TakeWord(value, answer.facts.*member, fits(value));
  };
}

bool IsId(std::string_view text) {
  return ParseUuid(text).has_value();
}

const std::map<std::string_view, Taker>& Takers() {
  static const std::map<std::string_view, Taker> takers = {
      {"time", NumberOf(&HostFacts::unix_time)},
      {"node", WordOf(&HostFacts::node, IsNodeName)},
      {"ssh", OfFacts(TakeConnection)},
      {"system", OfFacts(TakeSystem)},
      {"cpus", NumberOf(&HostFacts::cpus)},
      {"topology", OfFacts(TakeTopology)},
      {"memory", NumberOf(&HostFacts::memory_mib)},
      {"gpu", OfFacts(TakeGpu)},
      {"gpu-minor", TakeMinor},
      {"gpu-model", TakeModel},
      {"starter", [](Answer& a, auto) { return a.facts.starter = Starter::kSystemd, true; }},
      {"groups",
       [](Answer& a, std::string_view value) {
         a.facts.groups = value == "v2" ? ControlGroups::kV2 : ControlGroups::kV1;
         return value == "v1" || value == "v2";
       }},
      {"package", OfFacts(TakePackage)},
      {"daemon", [](Answer& a, std::string_view v) { return a.facts.daemons.emplace(v).second; }},
      {"current", [](Answer& a, std::string_view v) { return a.facts.current.emplace(v).second; }},
      {"serves", [](Answer& a, auto) { return a.facts.serves_gpuyard = true; }},
      {"server-uid", NumberOf(&HostFacts::server_uid)},
      {"stamp", WordOf(&HostFacts::stamp, IsClusterName)},
      {"munge-key", ChecksumOf(&HostFacts::munge_key)},
      {"own-key", ChecksumOf(&HostFacts::own_key)},
      {"running-key", ChecksumOf(&HostFacts::running_key)},
      {"file", OfFacts(TakeFile)},
      {"host-key",
       [](Answer& a, std::string_view v) {
         return a.facts.host_keys.emplace_back(v), IsPublicKey(v);
       }},
      {"taken",
       [](Answer& a, std::string_view v) {
         return Number(v) && (a.facts.taken_ids.insert(*Number(v)), true);
       }},
      {"account", OfFacts(TakeAccount)},
      {"folder-id", WordOf(&HostFacts::folder_id, IsId)},
      {"folder-uid", NumberOf(&HostFacts::folder_uid)},
      {"folder-names", NumberOf(&HostFacts::folder_names)},
      {"authorised",
       [](Answer& a, std::string_view v) { return a.facts.authorised.emplace_back(v), true; }},
  };
  return takers;
}

std::unexpected<Error> Refuse(const std::string& host, std::string_view line) {
  std::string shown(line.substr(0, kLongestShown));
  std::ranges::replace_if(shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return Fail(Code::kInvalid, fmt::format("{} says '{}', which cannot be", host, shown));
}

Status TakeLine(const std::string& host, Answer& answer, std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == line.npos) return {};
  const auto found = Takers().find(line.substr(0, blank));
  if (found == Takers().end() || found->second(answer, line.substr(blank + 1))) return {};
  return Refuse(host, line);
}

// The driver says which device is what; where it does not, all of one host are of the one model.
void NameTypes(Answer& answer) {
  for (HostGpu& gpu : answer.facts.gpus) {
    const auto said = answer.type_by_file.find(gpu.file);
    if (said != answer.type_by_file.end())
      gpu.type = said->second;
    else if (answer.memory_by_type.size() == 1)
      gpu.type = answer.memory_by_type.begin()->first;
    const auto memory = answer.memory_by_type.find(gpu.type);
    if (memory != answer.memory_by_type.end()) gpu.memory_mib = memory->second;
  }
}

Status CheckWhole(const HostFacts& facts) {
  auto missing = [&facts](std::string_view what) {
    return Fail(Code::kInvalid, fmt::format("{} does not say {}", facts.host, what));
  };
  if (facts.node.empty()) return missing("its name");
  if (facts.address.empty()) return missing("the address at which ssh reached it");
  if (facts.cpus < 1) return missing("how many processors it has");
  if (facts.memory_mib < 1) return missing("how much memory it has");
  return {};
}

}  // namespace

Result<HostFacts> ParseFacts(const std::string& host, std::string_view answer) {
  if (answer.size() > kLargest || !answer.ends_with(kEnd))
    return Fail(Code::kInvalid, fmt::format("{} did not answer to the end", host),
                "its shell must print nothing of its own; try `ssh HOST true`");
  Answer taken;
  taken.facts.host = host;
  for (std::string_view line : Split(answer, '\n')) YARD_TRY(TakeLine(host, taken, line));
  NameTypes(taken);
  HostFacts& facts = taken.facts;
  // Processors that are switched off have no place in it: then the number has to do.
  if (facts.sockets * facts.cores * facts.threads != facts.cpus) facts.sockets = 0;
  YARD_TRY(CheckWhole(facts));
  return std::move(facts);
}

}  // namespace yard::cli
