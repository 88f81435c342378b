#include "engine/local/containers/explain.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/local/containers/image.h"

namespace yard::engine::containers {
namespace {

enum class Problem {
  kRegistryAway,
  kLogin,
  kNoImage,
  kNoProgram,
  kNotExecutable,
  kNoUser,
  kNoFolder,
  kNoMountSource,
  kPortTaken,
  kNoGpu,
  kDiskFull,
  kLimits,
  kOther,
};

struct Sign {
  std::string_view words;  // in the daemon's complaint
  Problem problem;
};

// The first that fits counts, so what is special stands before what is general.
constexpr std::array kSigns = {
    // Podman ends these with words about the command, which was never looked at.
    Sign{"error setting cgroup config", Problem::kLimits},
    Sign{"error setting rlimit", Problem::kLimits},
    Sign{"no space left on device", Problem::kDiskFull},
    Sign{"no such host", Problem::kRegistryAway},
    Sign{"connection refused", Problem::kRegistryAway},
    Sign{"i/o timeout", Problem::kRegistryAway},
    Sign{"request canceled", Problem::kRegistryAway},
    Sign{"name resolution", Problem::kRegistryAway},
    Sign{"network is unreachable", Problem::kRegistryAway},
    Sign{"no route to host", Problem::kRegistryAway},
    Sign{"http response to https client", Problem::kRegistryAway},
    Sign{"x509:", Problem::kRegistryAway},
    Sign{"unauthorized", Problem::kLogin},
    Sign{"authentication required", Problem::kLogin},
    Sign{"no basic auth credentials", Problem::kLogin},
    Sign{"access denied", Problem::kLogin},
    Sign{"invalid username/password", Problem::kLogin},
    Sign{"requested access to the resource is denied", Problem::kLogin},
    Sign{"manifest unknown", Problem::kNoImage},
    Sign{"name unknown", Problem::kNoImage},
    Sign{"no such image", Problem::kNoImage},
    Sign{"image not known", Problem::kNoImage},
    Sign{"short-name", Problem::kNoImage},
    Sign{"cdi device", Problem::kNoGpu},
    Sign{"could not select device driver", Problem::kNoGpu},
    Sign{"error gathering device information", Problem::kNoGpu},
    Sign{"unable to find user", Problem::kNoUser},
    Sign{"unable to find group", Problem::kNoUser},
    Sign{"no matching entries in passwd", Problem::kNoUser},
    Sign{"workdir", Problem::kNoFolder},
    Sign{"chdir to cwd", Problem::kNoFolder},
    Sign{"bind source path does not exist", Problem::kNoMountSource},
    Sign{"statfs ", Problem::kNoMountSource},
    Sign{"error mounting", Problem::kNoMountSource},
    Sign{"address already in use", Problem::kPortTaken},
    Sign{"port is already allocated", Problem::kPortTaken},
    Sign{"executable file not found", Problem::kNoProgram},
    Sign{"exec format error", Problem::kNotExecutable},
    Sign{"permission denied", Problem::kNotExecutable},
    Sign{"no such file or directory", Problem::kNoProgram},
    Sign{"not found", Problem::kNoImage},
};

Problem ProblemOf(std::string_view said) {
  std::string lower = Lower(said);
  const auto* sign =
      std::ranges::find_if(kSigns, [&](const Sign& s) { return lower.contains(s.words); });
  return sign == kSigns.end() ? Problem::kOther : sign->problem;
}

std::string FolderOf(const TaskSpec& spec) {
  if (spec.working_dir.empty()) return "of the name that it gives as its working directory";
  return fmt::format("'{}'", spec.working_dir);
}

std::string ProgramOf(const TaskSpec& spec) {
  if (!spec.command.empty()) return fmt::format("'{}'", spec.command.front());
  if (!spec.args.empty()) return fmt::format("its entry point or '{}'", spec.args.front());
  return "its entry point";
}

// The mount whose source the complaint is about.
std::string MountOf(const TaskSpec& spec, std::string_view said) {
  for (const Mount& mount : spec.mounts) {
    if (!mount.source.empty() && said.contains(mount.source))
      return fmt::format("'{}' for '{}'", mount.source, mount.target);
  }
  for (const Mount& mount : spec.mounts) {
    if (said.contains(mount.target)) return fmt::format("'{}'", mount.target);
  }
  return "one of its mounts";
}

std::string Ports(const TaskSpec& spec) {
  std::vector<std::string> ports;
  for (std::uint16_t port : spec.ports) ports.push_back(fmt::to_string(port));
  return ports.empty() ? "a port" : fmt::format("port {}", Join(ports, " or "));
}

std::string AccountOf(const TaskSpec& spec) {
  if (!spec.account) return "the user that the image names";
  return fmt::format("user {}:{}", spec.account->uid, spec.account->gid);
}

std::string Sentence(Problem problem, const TaskSpec& spec, std::string_view said) {
  const std::string& image = spec.container->image;
  const std::string registry = RegistryOf(image);
  switch (problem) {
    case Problem::kRegistryAway:
      return fmt::format(
          "the registry {} of image {} cannot be reached; check its name and the "
          "network, or put the image on the node and use pull policy IfNotPresent",
          registry, image);
    case Problem::kLogin:
      return fmt::format(
          "the registry {} does not give image {} to {}; check the image's name "
          "and the registry credentials",
          registry, image,
          spec.container->registry_user.empty()
              ? std::string("anonymous users")
              : fmt::format("'{}'", spec.container->registry_user));
    case Problem::kNoImage:
      return fmt::format("there is no image {}; check its name and tag", image);
    case Problem::kNoProgram:
      return fmt::format(
          "image {} cannot run {}: there is no such program or its interpreter is "
          "missing; check command and args",
          image, ProgramOf(spec));
    case Problem::kNotExecutable:
      return fmt::format("image {} cannot run {}: it is not executable for {} on this machine",
                         image, ProgramOf(spec), AccountOf(spec));
    case Problem::kNoUser:
      return fmt::format("image {} does not know {}; give the user by number", image,
                         AccountOf(spec));
    case Problem::kNoFolder:
      return fmt::format("image {} has no folder {} to start in; set another working directory",
                         image, FolderOf(spec));
    case Problem::kNoMountSource:
      return fmt::format(
          "cannot mount {}: there is no such path on the node, or it cannot be "
          "mounted there",
          MountOf(spec, said));
    case Problem::kPortTaken:
      return fmt::format(
          "{} is in use on the node; take another one or do without the host's "
          "network",
          Ports(spec));
    case Problem::kNoGpu:
      return "the container daemon does not know the GPUs; install the NVIDIA container toolkit "
             "and run `nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml`";
    case Problem::kDiskFull:
      return fmt::format(
          "the disk of the container daemon is full, so image {} has no room; "
          "remove images that are not used",
          image);
    case Problem::kLimits:
      return "the container's limits could not be set on this machine";
    case Problem::kOther:
      break;
  }
  return "the container could not be started";
}

}  // namespace

Error Explain(const Error& said, const TaskSpec& spec) {
  if (said.code == Code::kUnavailable) return said;
  std::string sentence = Sentence(ProblemOf(said.message), spec, said.message);
  return {said.code, fmt::format("{} (the daemon said: {})", sentence, Trim(said.message)),
          said.details};
}

}  // namespace yard::engine::containers
