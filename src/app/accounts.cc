#include "app/accounts.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::app {
namespace {

Result<std::uint32_t> FindGroup(const std::string& name) {
  std::vector<char> buffer(1 << 16);
  group entry{};
  group* found = nullptr;
  getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found != nullptr) return found->gr_gid;
  return Fail(Code::kInvalid, fmt::format("native-accounts: there is no group '{}'", name),
              "make the group, or name another one");
}

}  // namespace

Result<engine::Account> FindAccount(const std::string& name) {
  std::vector<char> buffer(1 << 16);
  passwd entry{};
  passwd* found = nullptr;
  getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return Fail(Code::kNotFound, fmt::format("no account '{}'", name));
  engine::Account account{.uid = found->pw_uid, .gid = found->pw_gid};
  std::array<gid_t, 256> groups{};
  int count = groups.size();
  if (getgrouplist(name.c_str(), found->pw_gid, groups.data(), &count) >= 0) {
    account.groups.assign(groups.begin(), groups.begin() + count);
  }
  return account;
}

Result<control::MachineAccounts> MachineAccountsOf(const Settings& settings) {
  control::MachineAccounts accounts{.find = FindAccount, .server_uid = geteuid()};
  for (std::string_view part : Split(settings.Text("native-accounts"), ',')) {
    std::string name(Trim(part));
    if (name.starts_with('@')) {
      YARD_ASSIGN(std::uint32_t group, FindGroup(name.substr(1)));
      accounts.groups.push_back(group);
    } else if (!name.empty()) {
      accounts.names.push_back(std::move(name));
    }
  }
  return accounts;
}

}  // namespace yard::app
