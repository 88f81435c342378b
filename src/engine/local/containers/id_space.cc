#include "engine/local/containers/id_space.h"

#include <fmt/format.h>

namespace yard::engine::containers {
namespace {

bool NamesAnId(const TaskSpec& spec) {
  return spec.account && spec.account->uid != 0;
}

}  // namespace

IdSpace IdSpaceOf(const TaskSpec& spec, const DaemonFacts& facts) {
  if (facts.rootless || facts.remapped) return IdSpace::kDaemons;
  if (NamesAnId(spec) || facts.kind != DaemonKind::kPodman) return IdSpace::kMachine;
  return IdSpace::kMapped;
}

// What stands before the slash, by which its volumes go too.
std::string_view ProjectOf(const TaskSpec& spec) {
  return std::string_view(spec.title).substr(0, spec.title.find('/'));
}

Account OwnerOnMachine(const TaskSpec& spec, IdSpace ids, IdRange range) {
  // In the daemon's namespace the numbers are its own, and its account owns what the image's
  // root is.
  if (ids == IdSpace::kDaemons) return spec.account.value_or(Account{});
  if (NamesAnId(spec)) return *spec.account;
  return {.uid = range.first, .gid = range.first};
}

Status RequireCapabilities(const TaskSpec& spec, const DaemonFacts& facts) {
  const bool asks = spec.container && !spec.container->add_capabilities.empty();
  if (!asks || IdSpaceOf(spec, facts) != IdSpace::kMachine) return {};
  if (NamesAnId(spec))
    return Fail(Code::kInvalid, "a container with an id of the machine has no capabilities",
                "leave out runAsUid, or the capabilities");
  return Fail(Code::kInvalid,
              "the container daemon of this machine has no user namespaces, so containers have no "
              "capabilities",
              "ask an operator for podman, or for docker with userns-remap");
}

std::string UserInside(const TaskSpec& spec, IdSpace ids, IdRange range) {
  if (spec.account && (ids != IdSpace::kMachine || NamesAnId(spec)))
    return fmt::format("{}:{}", spec.account->uid, spec.account->gid);
  return ids == IdSpace::kMachine ? fmt::format("{0}:{0}", range.first) : std::string();
}

}  // namespace yard::engine::containers
