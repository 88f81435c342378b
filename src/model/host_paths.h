// Paths of a machine as text, and which of them no workload may mount. Pure; no file is touched.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace yard {

// The path without doubled or trailing slashes and without "." parts. Nothing if it is not
// absolute, has a ".." part, or holds a character that mounts cannot carry.
std::optional<std::string> NormalPath(std::string_view text);

// Whether `path` is `folder` or lies below it; "/data" does not hold "/database". Both are normal.
bool LiesIn(std::string_view path, std::string_view folder);

enum class MountAccess { kRead, kWrite };

// The folder of the system that a mount of `path` would reach, if no administrator can allow it:
// the path is that folder, lies in it or holds it. `closed` are further such folders, such as the
// server's data directory. Programs of the system may be mounted read-only.
std::optional<std::string> ClosedFolder(std::string_view path, MountAccess access,
                                        std::span<const std::string> closed);

}  // namespace yard
