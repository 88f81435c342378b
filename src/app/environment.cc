#include "app/environment.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace yard::app {
namespace {

constexpr std::string_view kPrefix = "GPUYARD_";
constexpr std::array<const char*, 12> kOthers = {"HOME",
                                                 "XDG_DATA_HOME",
                                                 "XDG_CONFIG_HOME",
                                                 "NO_COLOR",
                                                 "TERM",
                                                 "COLUMNS",
                                                 "SUDO_USER",
                                                 "RUNAI_URL",
                                                 "RUNAI_CLIENT_ID",
                                                 "RUNAI_CLIENT_SECRET",
                                                 "RUNAI_CLI_CONFIG_FILE",
                                                 "RUNAI_CLI_CONFIG_PATH"};
constexpr std::array<const char*, 3> kSecrets = {"GPUYARD_ADMIN_PASSWORD", "GPUYARD_TOKEN",
                                                 "RUNAI_CLIENT_SECRET"};

// Overwritten where they lie, too: /proc/PID/environ shows that memory for as long as we live.
void ForgetSecrets() {
  for (const char* name : kSecrets) {
    char* value = std::getenv(name);
    if (value == nullptr) continue;
    explicit_bzero(value, std::strlen(value));
    unsetenv(name);
  }
}

std::string Home(const Environment& environment) {
  if (std::optional<std::string> home = environment.Find("HOME")) return *home;
  const passwd* user = getpwuid(getuid());
  return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "/";
}

}  // namespace

std::optional<std::string> Environment::Find(std::string_view variable) const {
  auto found = variables.find(variable);
  if (found == variables.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

NamedTexts Environment::Ours() const {
  NamedTexts ours;
  for (const auto& [name, value] : variables) {
    if (name.starts_with(kPrefix) && !value.empty()) ours.emplace(name, value);
  }
  return ours;
}

Environment ReadEnvironment() {
  Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    std::size_t equals = text.find('=');
    if (!text.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    environment.variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const char* name : kOthers) {
    if (const char* value = std::getenv(name)) environment.variables.emplace(name, value);
  }
  ForgetSecrets();
  std::string home = Home(environment);
  environment.data_dir =
      environment.Find("XDG_DATA_HOME").value_or(home + "/.local/share") + "/gpuyard";
  environment.config_dir =
      environment.Find("XDG_CONFIG_HOME").value_or(home + "/.config") + "/gpuyard";
  return environment;
}

std::string WorkingDirectory() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::current_path(error);
  return error ? std::string() : path.string();
}

std::vector<std::pair<std::string, std::string>> AllVariables() {
  std::vector<std::pair<std::string, std::string>> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

}  // namespace yard::app
