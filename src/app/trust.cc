#include "app/trust.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

namespace yard::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstalled = "/usr/local/share/ca-certificates/gpuyard-local-ca.crt";
constexpr const char* kUpdater = "/usr/sbin/update-ca-certificates";

Status UpdateSystem() {
  if (access(kUpdater, X_OK) != 0) {
    return Fail(Code::kUnsupported, fmt::format("{} is not here", kUpdater),
                "apt install ca-certificates, or add the file to your system's certificates");
  }
  std::string program = kUpdater;
  std::vector<char*> arguments{program.data(), nullptr};
  pid_t child = 0;
  fmt::print(stderr, "running {}\n", kUpdater);
  int error = posix_spawn(&child, kUpdater, nullptr, nullptr, arguments.data(), environ);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) < 0 || status != 0) {
    return Fail(Code::kUnavailable, fmt::format("{} failed", kUpdater), "run it as root");
  }
  return {};
}

Status FailAt(const char* what, const std::error_code& error) {
  return Fail(Code::kUnavailable,
              fmt::format("cannot {} {}: {}", what, kInstalled, error.message()),
              "run this as root");
}

}  // namespace

Status Trust(const std::string& data_dir) {
  std::string authority = data_dir + "/tls/ca.crt";
  std::error_code error;
  if (!fs::exists(authority, error)) {
    return Fail(Code::kNotFound, fmt::format("there is no {}", authority),
                "start the server once with tls: auto, or name its --data-dir");
  }
  fmt::print(stderr, "copying {} to {}\n", authority, kInstalled);
  fs::create_directories(fs::path(kInstalled).parent_path(), error);
  fs::copy_file(authority, kInstalled, fs::copy_options::overwrite_existing, error);
  if (error) return FailAt("write", error);
  return UpdateSystem();
}

Status Distrust() {
  std::error_code error;
  fmt::print(stderr, "removing {}\n", kInstalled);
  fs::remove(kInstalled, error);
  if (error) return FailAt("remove", error);
  return UpdateSystem();
}

}  // namespace yard::app
