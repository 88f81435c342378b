// Copying files between this machine and a task, as tar streams; `tar` packs and unpacks here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

// One side of a copy: "train:/data/x" is in a task, "./x" is here.
struct CopyEnd {
  std::string workload;  // empty: here
  std::string path;
};
CopyEnd ParseCopyEnd(std::string_view text);

// kNotFound if there is no such file here.
Status CheckSource(const std::string& source);

// Into an existing folder under the same name, else as `target` itself.
client::Outcome<void> CopyOut(Session& session, const std::string& id, const std::string& source,
                              const std::string& target);
// What an attempt has left at a path of its output folder, into the folder `target`, over what is
// there. False: it has left nothing there.
struct LeftAt {
  std::int64_t attempt = 1;
  std::string path;
};
client::Outcome<bool> CopyLeft(Session& session, const std::string& id, const LeftAt& left,
                               const std::string& target);
// Into the folder `target` if it ends in "/", else as `target` itself.
client::Outcome<void> CopyIn(Session& session, const std::string& id, const std::string& source,
                             const std::string& target);

// The option that makes `tar` write what is called `own` as `name`, whatever is in either.
std::string RenameOption(std::string_view own, std::string_view name);

}  // namespace yard::cli
