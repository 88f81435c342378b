#include "app/cluster_settings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"

namespace yard::app {
namespace {

constexpr std::size_t kMostClusters = 32;
constexpr std::size_t kLongestName = 63;

// What each engine takes beside `engine`.
constexpr std::array<std::string_view, 13> kSlurm = {
    "folder",    "ssh", "ssh-port",    "ssh-key",    "ssh-known-hosts",    "partition",
    "account",   "qos", "reservation", "constraint", "time-limit-minutes", "gpu-memory",
    "slurm-conf"};
constexpr std::array<std::string_view, 1> kSim = {"gpus"};

std::span<const std::string_view> OptionsOf(std::string_view engine) {
  if (engine == "slurm") return kSlurm;
  if (engine == "sim") return kSim;
  return {};
}

bool IsName(std::string_view name) {
  auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, fits) &&
         name.front() != '-' && name.back() != '-';
}

std::unexpected<Error> Refuse(std::string message, std::string next = {}) {
  return Fail(Code::kInvalid, std::move(message), std::move(next));
}

Status CheckOption(const ClusterSettings& cluster, std::string_view option) {
  const std::span<const std::string_view> known = OptionsOf(cluster.Text("engine"));
  if (option == "engine" || std::ranges::find(known, option) != known.end()) return {};
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::optional<std::string_view> near = Nearest(option, names);
  return Refuse(fmt::format("{}: clusters: '{}' has no option '{}'{}", cluster.origin, cluster.name,
                            option, near ? fmt::format("; did you mean '{}'?", *near) : ""),
                fmt::format("options: engine, {}", fmt::join(known, ", ")));
}

// Words of ssh and sbatch must not look like their options.
Status CheckWord(const ClusterSettings& cluster, std::string_view option,
                 const std::string& value) {
  const bool plain =
      std::ranges::none_of(value, [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (plain && !value.starts_with('-')) return {};
  return Refuse(fmt::format("{}: clusters: {}: '{}' is not a value for {}", cluster.origin,
                            cluster.name, value, option));
}

Status Check(const ClusterSettings& cluster) {
  if (!IsName(cluster.name))
    return Refuse(fmt::format("{}: clusters: '{}' is not a name", cluster.origin, cluster.name),
                  "use small letters, digits and '-', at most 63 of them");
  if (OptionsOf(cluster.Text("engine")).empty())
    return Refuse(fmt::format("{}: clusters: {}: engine '{}' is not one of slurm, sim",
                              cluster.origin, cluster.name, cluster.Text("engine")));
  for (const auto& [option, value] : cluster.values) {
    YARD_TRY(CheckOption(cluster, option));
    YARD_TRY(CheckWord(cluster, option, value));
  }
  if (cluster.Text("engine") == "slurm" && !cluster.Text("folder").starts_with('/'))
    return Refuse(fmt::format("{}: clusters: {}: folder is missing", cluster.origin, cluster.name),
                  "name a folder on the file system that the login node and all nodes share");
  return {};
}

Result<ClusterSettings> ReadOne(const std::string& place, std::string_view name,
                                const json::value& value) {
  ClusterSettings cluster{.name = std::string(name), .values = {}, .origin = place};
  const json::object* options = value.if_object();
  if (options == nullptr)
    return Refuse(
        fmt::format("{}: clusters: {} must be a list of `option: value` lines", place, name));
  for (const auto& [option, one] : *options) {
    if (one.is_structured() || one.is_null())
      return Refuse(fmt::format("{}: clusters: {}: {} must be a single value", place, name,
                                std::string_view(option)));
    const json::string* text = one.if_string();
    cluster.values[std::string(option)] =
        text != nullptr ? std::string(*text) : json::serialize(one);
  }
  YARD_TRY(Check(cluster));
  return cluster;
}

}  // namespace

const std::string& ClusterSettings::Text(std::string_view option) const {
  static const std::string none;
  auto found = values.find(option);
  return found == values.end() ? none : found->second;
}

Result<std::vector<ClusterSettings>> ReadClusters(const std::string& place,
                                                  const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr || object->size() > kMostClusters)
    return Refuse(fmt::format("{}: clusters must be a list of at most {} names with options", place,
                              kMostClusters),
                  "see docs/configuration.md");
  std::vector<ClusterSettings> clusters;
  for (const auto& [name, options] : *object) {
    YARD_ASSIGN(ClusterSettings cluster, ReadOne(place, name, options));
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

}  // namespace yard::app
