// The server's settings: one table of names, and where each value comes from.
//
// A setting has one name everywhere: the flag --data-dir, the line `data-dir:` of the
// configuration file and the variable GPUYARD_DATA_DIR. The nearer source wins: flag, environment,
// file, default. An unknown key is an error with the nearest name and its line.
// Values only; nothing here reads a file or the environment.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cluster_settings.h"
#include "base/result.h"

namespace yard::app {

struct SettingSpec {
  enum class Kind { kText, kPath, kAddress, kWhole, kChoice, kUrl, kMailAddress };
  std::string_view name;
  Kind kind = Kind::kText;
  std::string_view initial;  // the default, as text
  std::int64_t least = 0;    // kWhole
  std::int64_t most = 0;
  std::string_view choices = "";  // kChoice: values, kUrl: schemes; separated by "|"
  std::string_view help = "";
};

std::span<const SettingSpec> SettingSpecs();

struct Setting {
  std::string value;
  std::string origin;  // "default", "/etc/x.yaml:3", "env GPUYARD_LISTEN", "flag --listen"
};

class Settings {
 public:
  explicit Settings(std::map<std::string, Setting, std::less<>> values,
                    std::vector<ClusterSettings> clusters = {})
      : values_(std::move(values)), clusters_(std::move(clusters)) {}
  const Setting& Find(std::string_view name) const;
  const std::string& Text(std::string_view name) const { return Find(name).value; }
  std::int64_t Whole(std::string_view name) const;
  bool IsDefault(std::string_view name) const { return Find(name).origin == "default"; }
  // Beside the server's own.
  const std::vector<ClusterSettings>& clusters() const { return clusters_; }

 private:
  std::map<std::string, Setting, std::less<>> values_;
  std::vector<ClusterSettings> clusters_;
};

using NamedTexts = std::map<std::string, std::string, std::less<>>;

struct SettingSources {
  std::string file_path;  // empty: no file
  std::string file_text;
  NamedTexts environment;  // variables that start with GPUYARD_
  NamedTexts flags;        // by setting name
  NamedTexts defaults;     // take the place of the table's own, for `gpuyard up`
};

// The first problem found, with its place.
Result<Settings> ResolveSettings(const SettingSources& sources);

// "GPUYARD_DATA_DIR"
std::string VariableOf(std::string_view setting);

struct Address {
  std::string host;  // empty: every address
  std::uint16_t port = 0;
};
// "127.0.0.1:8470", "[::1]:8470", ":8470", "localhost:0"
Result<Address> ParseAddress(std::string_view text);
bool IsLoopback(const Address& address);

}  // namespace yard::app
