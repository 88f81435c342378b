#include "cli/job/profile.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/file.h"
#include "base/strings.h"
#include "cli/output.h"
#include "cli/submit/slurm.h"
#include "cli/submit/words.h"
#include "cli/yaml.h"
#include "data/manifest.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClusterFile = "docker/cluster/.env.cluster";
constexpr std::size_t kLongestName = 63;

bool IsThere(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// It becomes part of a file's name.
bool IsProfileName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ||
                  c == '.';
         });
}

std::unexpected<Error> Wrong(std::string_view key, std::string_view right) {
  return Fail(Code::kInvalid, fmt::format("'{}' of the profile is not {}", key, right),
              "see docs/slurm.md");
}

Result<std::string> TextOf(std::string_view key, const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_int64() || value.is_double() || value.is_bool())
    return TextAt(json::object{{"value", value}}, "value");
  return Wrong(key, "a text");
}

Result<std::vector<std::string>> TextsOf(std::string_view key, const json::value& value) {
  std::vector<std::string> texts;
  if (!value.is_array()) return Wrong(key, "a list of texts");
  for (const json::value& item : value.as_array()) {
    YARD_ASSIGN(std::string text, TextOf(key, item));
    texts.push_back(std::move(text));
  }
  return texts;
}

// What reads one key.
using Reader = Status (*)(const json::value&, JobProfile&);

Status ReadCommand(const json::value& value, JobProfile& profile) {
  if (value.is_string()) {
    YARD_ASSIGN(profile.command, SplitWords(value.as_string()));
    return {};
  }
  YARD_ASSIGN(profile.command, TextsOf("command", value));
  return {};
}

Status ReadVariables(const json::value& value, JobProfile& profile) {
  if (!value.is_object()) return Wrong("variables", "a map of names to values");
  for (const auto& [name, one] : value.as_object()) {
    YARD_ASSIGN(std::string text, TextOf("variables", one));
    profile.work.spec.SetVariable(name, text);
  }
  return {};
}

// The names are those of sbatch, as in the #SBATCH lines of a script.
Status ReadSlurm(const json::value& value, JobProfile& profile) {
  if (!value.is_object()) return Wrong("slurm", "a map of options of sbatch");
  for (const auto& [name, one] : value.as_object()) {
    YARD_ASSIGN(std::string text, TextOf("slurm", one));
    YARD_ASSIGN(std::string note, TakeSlurmOption(profile.work, std::string(name), text));
    if (!note.empty()) profile.notes.push_back(std::move(note));
  }
  return {};
}

// Blanks and quotes have no place in it, and a shell is to run nothing.
Status ReadScratch(const json::value& value, JobProfile& profile) {
  YARD_ASSIGN(profile.scratch, TextOf("scratch", value));
  const bool plain = std::ranges::all_of(profile.scratch, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-${}").contains(c);
  });
  const bool absolute = profile.scratch.starts_with('/') || profile.scratch.starts_with('$');
  if (plain && absolute) return {};
  return Wrong("scratch", "an absolute path, which may begin with a variable of the node");
}

template <std::string JobProfile::* kField>
Status ReadText(const json::value& value, JobProfile& profile) {
  YARD_ASSIGN(profile.*kField, TextOf("a key", value));
  return {};
}

template <std::vector<std::string> JobProfile::* kField>
Status ReadTexts(const json::value& value, JobProfile& profile) {
  YARD_ASSIGN(profile.*kField, TextsOf("a key", value));
  return {};
}

struct Key {
  std::string_view name;
  Reader read;
};

constexpr Key kKeys[] = {
    {"command", ReadCommand},
    {"outputs", ReadTexts<&JobProfile::outputs>},
    {"modules", ReadTexts<&JobProfile::modules>},
    {"setup", ReadTexts<&JobProfile::setup>},
    {"binds", ReadTexts<&JobProfile::binds>},
    {"scratch", ReadScratch},
    {"image", ReadText<&JobProfile::image>},
    {"code", ReadText<&JobProfile::code_in_image>},
    {"variables", ReadVariables},
    {"slurm", ReadSlurm},
};

// The folders that Isaac Lab's script binds into its image.
void AddCaches(const EnvValues& values, const std::string& cache, JobProfile& profile) {
  auto value = [&](const std::string& name, const std::string& usual) {
    const auto found = values.find(name);
    return found == values.end() || found->second.empty() ? usual : found->second;
  };
  const std::string sim = value("DOCKER_ISAACSIM_ROOT_PATH", "/isaac-sim");
  const std::string home = value("DOCKER_USER_HOME", "/root");
  const std::pair<const char*, std::string> kBinds[] = {
      {"cache/kit", sim + "/kit/cache"},
      {"cache/ov", home + "/.cache/ov"},
      {"cache/pip", home + "/.cache/pip"},
      {"cache/glcache", home + "/.cache/nvidia/GLCache"},
      {"cache/computecache", home + "/.nv/ComputeCache"},
      {"logs", home + "/.nvidia-omniverse/logs"},
      {"data", home + "/.local/share/ov/data"},
      {"documents", home + "/Documents"}};
  for (const auto& [from, to] : kBinds)
    profile.binds.push_back(fmt::format("{}/{}:{}", cache, from, to));
}

Result<std::string> TextOfFile(const std::string& folder, const std::string& file) {
  Result<std::string> text = ReadFile(fmt::format("{}/{}", folder, file));
  if (text) return text;
  return Fail(Code::kInvalid, text.error().message);
}

}  // namespace

Status CheckOutput(const std::string& path) {
  Status sound = data::CheckPath(path);
  const bool control = std::ranges::any_of(path, [](unsigned char c) { return c < ' '; });
  if (sound && !control) return {};
  return Fail(Code::kInvalid, fmt::format("'{}' cannot be an output", data::Printable(path)),
              "name a path inside of the folder, such as logs");
}

Status TakeProfile(const json::value& said, JobProfile& profile) {
  if (!said.is_object()) return Wrong(profile.name, "a map");
  for (const auto& [name, value] : said.as_object()) {
    const auto* key = std::ranges::find(kKeys, std::string_view(name), &Key::name);
    if (key == std::end(kKeys))
      return Fail(
          Code::kInvalid, fmt::format("a profile has no key '{}'", std::string_view(name)),
          "command, outputs, modules, setup, binds, scratch, image, code, variables, slurm");
    Status read = key->read(value, profile);
    if (!read)
      return Fail(Code::kInvalid,
                  fmt::format("{}: {}", std::string_view(name), read.error().message),
                  read.error().details);
  }
  return {};
}

Status TakeClusterValues(const EnvValues& values, JobProfile& profile) {
  auto value = [&](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  };
  const std::string scheduler = value("CLUSTER_JOB_SCHEDULER");
  if (!scheduler.empty() && scheduler != "SLURM")
    return Fail(Code::kInvalid, fmt::format("CLUSTER_JOB_SCHEDULER is {}", scheduler),
                "only SLURM is offered");
  const std::string script = value("CLUSTER_PYTHON_EXECUTABLE");
  const std::string images = value("CLUSTER_SIF_PATH");
  if (!script.empty())
    profile.command = {images.empty() ? "python3" : "/isaac-sim/python.sh", script};
  if (!images.empty()) {
    profile.image = fmt::format("{}/isaac-lab-{}.sif", images, profile.name);
    profile.code_in_image = "/workspace/isaaclab";
    profile.work.spec.SetVariable("ISAACLAB_PATH", profile.code_in_image);
  }
  const std::string cache = value("CLUSTER_ISAAC_SIM_CACHE_DIR");
  if (!cache.empty() && !images.empty()) AddCaches(values, cache, profile);
  if (profile.outputs.empty()) profile.outputs = {"logs"};
  if (!value("CLUSTER_LOGIN").empty())
    profile.notes.emplace_back(
        "CLUSTER_LOGIN is not used: the server's entry names the login node");
  if (!value("CLUSTER_ISAACLAB_DIR").empty())
    profile.notes.emplace_back(
        "CLUSTER_ISAACLAB_DIR is not used: the job has a folder of its own, and its logs come "
        "back");
  return {};
}

Result<JobProfiles> JobProfiles::Read(const std::string& folder, const EnvLookup& lookup) {
  JobProfiles profiles(folder, lookup);
  if (!IsThere(fmt::format("{}/{}", folder, kJobFile))) return profiles;
  YARD_ASSIGN(const std::string text, TextOfFile(folder, kJobFile));
  Result<std::vector<YamlDocument>> documents = ReadYaml(text);
  if (!documents)
    return Fail(Code::kInvalid, fmt::format("{}: {}", kJobFile, documents.error().message));
  if (documents->size() != 1 || !At(documents->front().value(), "profiles").is_object())
    return Fail(Code::kInvalid, fmt::format("{} has no map 'profiles'", kJobFile),
                "profiles: {base: {command: python3 train.py}}");
  profiles.own_ = std::make_shared<json::value>(At(documents->front().value(), "profiles"));
  return profiles;
}

bool JobProfiles::Has(const std::string& name) const {
  if (!IsProfileName(name)) return false;
  const bool own = own_ && own_->as_object().contains(name);
  return own || IsThere(fmt::format("{}/docker/.env.{}", folder_, name));
}

Status JobProfiles::TakeFiles(const std::string& name, JobProfile& profile) const {
  if (!IsThere(fmt::format("{}/{}", folder_, kClusterFile))) return {};
  EnvValues values;
  std::vector<std::string> files = {kClusterFile, "docker/.env.base"};
  if (name != kUsualProfile) files.push_back("docker/.env." + name);
  for (const std::string& file : files) {
    if (!IsThere(fmt::format("{}/{}", folder_, file))) continue;
    YARD_ASSIGN(const std::string text, TextOfFile(folder_, file));
    YARD_TRY(ReadEnvFile(text, file, lookup_, values));
  }
  return TakeClusterValues(values, profile);
}

Result<JobProfile> JobProfiles::Find(const std::string& asked) const {
  JobProfile profile;
  profile.name = asked.empty() ? std::string(kUsualProfile) : asked;
  if (!asked.empty() && !Has(asked))
    return Fail(Code::kNotFound, fmt::format("there is no profile '{}'", data::Printable(asked)),
                fmt::format("write it into {}", kJobFile));
  YARD_TRY(TakeFiles(profile.name, profile));
  if (own_) {
    const auto* said = own_->as_object().if_contains(profile.name);
    Status taken = said == nullptr ? Status() : TakeProfile(*said, profile);
    if (!taken)
      return Fail(Code::kInvalid,
                  fmt::format("{}: {}: {}", kJobFile, profile.name, taken.error().message),
                  taken.error().details);
  }
  for (const std::string& output : profile.outputs) YARD_TRY(CheckOutput(output));
  return profile;
}

}  // namespace yard::cli
