#include "cli/enter/ssh.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/enter/child.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

struct Setting {
  std::string name;
  std::string value;
};

std::vector<Setting> SettingsOf(const SshPlace& place) {
  std::string known = std::filesystem::path(place.key.path).parent_path() / "known_hosts";
  return {{"User", place.user},
          {"ProxyCommand", fmt::format("{} ssh-proxy {}", QuoteWord(place.program), place.id)},
          {"IdentityFile", place.key.path},
          {"IdentitiesOnly", "yes"},
          {"HostKeyAlias", "gpuyard-" + place.id},
          {"UserKnownHostsFile", known},
          // The way there is authenticated by the server; each task has a key of its own.
          {"StrictHostKeyChecking", "no"},
          {"LogLevel", "ERROR"}};
}

}  // namespace

std::string SshdScript(const std::string& public_key) {
  return fmt::format(R"SH(sshd=$(command -v sshd || true)
for place in /usr/sbin/sshd /usr/local/sbin/sshd; do
  [ -n "$sshd" ] || {{ [ -x "$place" ] && sshd=$place; }}
done
if [ -z "$sshd" ]; then
  echo "gpuyard: there is no sshd in this task" >&2
  echo "  install openssh-server in it, or use gpuyard shell" >&2
  exit 127
fi
folder=${{TMPDIR:-/tmp}}/.gpuyard-ssh-$(id -u)
umask 077
mkdir -p "$folder"
[ -s "$folder/host" ] || ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
printf '%s\n' {} > "$folder/keys"
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
# Sessions have the variables of the task, also those that say which GPUs are its own.
printf 'SetEnv %s\n' "$(env | grep -v '"' |
  grep -Ev '^(HOME|SHELL|USER|LOGNAME|PWD|OLDPWD|SHLVL|TERM|MAIL|_)=' |
  sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*=.*\)$/"\1"/p' | tr '\n' ' ')" > "$folder/config"
exec "$sshd" -i -q -f "$folder/config" -h "$folder/host" -o AuthorizedKeysFile="$folder/keys" \
  -o StrictModes=no -o UsePAM=no -o PasswordAuthentication=no -o PermitRootLogin=yes \
  -o PidFile=none -o AllowTcpForwarding=yes -o Subsystem="sftp internal-sftp"
)SH",
                     QuoteWord(public_key));
}

Result<SshKey> EnsureKey(const std::string& folder) {
  namespace fs = std::filesystem;
  std::string path = folder + "/id_ed25519";
  std::error_code error;
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms::owner_all, error);
  if (!fs::exists(path, error)) {
    YARD_ASSIGN(int code, RunProgram({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C",
                                      "gpuyard", "-f", path}));
    if (code != 0) return Fail(Code::kInternal, "ssh-keygen could not make a key in " + folder);
  }
  std::ifstream file(path + ".pub");
  SshKey key{path, {}};
  std::getline(file, key.public_text);
  if (key.public_text.empty())
    return Fail(Code::kInvalid, fmt::format("{}.pub cannot be read", path),
                "remove both files; a new key is made then");
  return key;
}

std::vector<std::string> SshWords(const SshPlace& place) {
  std::vector<std::string> words = {"ssh"};
  for (const Setting& setting : SettingsOf(place)) {
    words.emplace_back("-o");
    words.push_back(fmt::format("{}={}", setting.name, setting.value));
  }
  words.push_back(place.name);
  return words;
}

std::string SshConfig(const SshPlace& place) {
  std::string text = fmt::format("Host gpuyard-{}\n", place.name);
  for (const Setting& setting : SettingsOf(place))
    text += fmt::format("  {} {}\n", setting.name, setting.value);
  return text;
}

}  // namespace yard::cli
