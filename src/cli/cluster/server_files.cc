#include "cli/cluster/server_files.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"
#include "cli/cluster/description.h"
#include "cli/cluster/far.h"
#include "cli/cluster/names.h"
#include "cli/cluster/run.h"

namespace yard::cli {
namespace {

constexpr std::int64_t kSshPort = 22;

// ssh refuses a key that belongs to somebody else.
Status GiveTo(const std::string& account, const std::string& path) {
  if (account.empty()) return {};
  const passwd* entry = ::getpwnam(account.c_str());
  if (entry == nullptr)
    return Fail(Code::kNotFound, fmt::format("there is no account '{}' on this machine", account),
                "--server-account NAME: the one that the server runs as");
  if (::lchown(path.c_str(), entry->pw_uid, entry->pw_gid) == 0) return {};
  return Fail(Code::kUnavailable,
              fmt::format("cannot give {} to {}: {}", path, account, std::strerror(errno)));
}

Result<Written> Replace(const ServerFiles& files, const std::string& path,
                        const std::string& text) {
  if (ReadFileOrEmpty(path) == text) return Written::kUnchanged;
  YARD_TRY(ReplaceFile(path, text, FileMode::kReadable));
  YARD_TRY(GiveTo(files.account, path));
  return Written::kChanged;
}

}  // namespace

Result<std::string> FindPublicKey(const ServerFiles& files, const std::string& cluster) {
  const std::string path = files.KeyFile(cluster) + ".pub";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::string();
  YARD_ASSIGN(const std::string text, ReadFile(path));
  std::string line(Trim(text));
  if (IsPublicKey(line)) return line;
  return Fail(Code::kInvalid, fmt::format("{} is not the public half of an ssh key", path),
              "remove it and the file without .pub; new ones are made then");
}

Result<std::string> EnsurePublicKey(const ServerFiles& files, const std::string& cluster) {
  YARD_ASSIGN(std::string there, FindPublicKey(files, cluster));
  if (!there.empty()) return there;
  std::error_code error;
  std::filesystem::create_directories(files.folder, error);
  const std::string path = files.KeyFile(cluster);
  YARD_ASSIGN(Answer made, Exchange({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C",
                                     "gpuyard-" + cluster, "-f", path},
                                    "n\n"));
  if (made.code != 0)
    return Fail(Code::kUnavailable,
                fmt::format("cannot make the key {}: {}", path, LastWords(made)));
  YARD_TRY(GiveTo(files.account, path));
  return FindPublicKey(files, cluster);
}

std::string KnownHostsOf(const HostFacts& login) {
  const std::string name = login.ssh_port == kSshPort
                               ? login.address
                               : fmt::format("[{}]:{}", login.address, login.ssh_port);
  std::string text;
  for (const std::string& key : login.host_keys) text += fmt::format("{} {}\n", name, key);
  return text;
}

Result<Written> WriteKnownHosts(const ServerFiles& files, const std::string& cluster,
                                const HostFacts& login) {
  return Replace(files, files.KnownHostsFile(cluster), KnownHostsOf(login));
}

Result<Written> WriteSection(const ServerFiles& files, const ClusterEntry& entry) {
  const std::string path = files.ConfigFile();
  Result<std::string> text = WithEntry(ReadFileOrEmpty(path), entry);
  if (!text)
    return Fail(text.error().code, fmt::format("{}: {}", path, text.error().message),
                text.error().details);
  return Replace(files, path, *text);
}

}  // namespace yard::cli
