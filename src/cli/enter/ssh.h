// ssh into a task: a ProxyCommand that runs `sshd -i` inside it, as its owner.
//
// No port is opened and no account is needed: the server's own access rules decide. A key pair of
// ours is made once and kept beside the profile.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace yard::cli {

// What runs inside the task. Pure. `public_key` is the one that may sign in.
std::string SshdScript(const std::string& public_key);

struct SshKey {
  std::string path;         // of the private key
  std::string public_text;  // one line
};
// Made with ssh-keygen when it is not there.
Result<SshKey> EnsureKey(const std::string& folder);

// Whom to reach and how.
struct SshPlace {
  std::string program;  // ours, for the ProxyCommand
  std::string id;       // of the workload
  std::string name;
  std::string user;  // inside the task
  SshKey key;
};
// The words that start ssh. Pure.
std::vector<std::string> SshWords(const SshPlace& place);
// An entry for ~/.ssh/config, for editors. Pure.
std::string SshConfig(const SshPlace& place);

}  // namespace yard::cli
