// The rights that a container asks for beyond the usual ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace yard {

struct SecuritySpec {
  std::optional<std::int64_t> uid;
  std::optional<std::int64_t> gid;
  std::vector<std::int64_t> groups;
  std::vector<std::string> capabilities;  // as written
  std::string seccomp_profile;
  bool read_only_root = false;
  bool host_network = false;
  bool host_ipc = false;
  bool may_gain_privileges = false;
};

}  // namespace yard
