#include "engine/local/tasks/volumes.h"

#include <unistd.h>

#include <fmt/format.h>

namespace yard::engine {

Status RequireVolume(const Mount& mount, const std::string& path) {
  if (!mount.must_exist || ::access(path.c_str(), F_OK) == 0) return {};
  const std::size_t dot = mount.source.find('.');
  const std::string project = mount.source.substr(0, dot);
  const std::string claim = dot == std::string::npos ? project : mount.source.substr(dot + 1);
  return Fail(Code::kInvalid,
              fmt::format("there is no volume '{}' in project '{}' on this machine; a new one is "
                          "made by `runai submit --new-pvc claimname={},size=10G,path=PATH`, by a "
                          "data source, or bound to a folder by an administrator with `gpuyard "
                          "host-access allow --claim {}=FOLDER`",
                          claim, project, claim, claim));
}

}  // namespace yard::engine
