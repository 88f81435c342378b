#include "control/auth/machine_accounts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {
namespace {

constexpr std::uint32_t kFirstPerson = 1000;  // Debian's; accounts below are the system's

bool IsName(std::string_view name) {
  auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && (is_letter(name.front()) || name.front() == '_') &&
         std::ranges::all_of(name, is_plain);
}

bool MayRunWork(const MachineAccounts& accounts, const std::string& name,
                const engine::Account& account) {
  if (accounts.names.empty() && accounts.groups.empty()) return true;
  if (std::ranges::find(accounts.names, name) != accounts.names.end()) return true;
  return std::ranges::any_of(accounts.groups, [&](std::uint32_t group) {
    return account.gid == group || std::ranges::find(account.groups, group) != account.groups.end();
  });
}

std::unexpected<Error> NotForWork(std::string_view name, std::string_view why) {
  return Fail(Code::kForbidden,
              fmt::format("the account '{}' {}, and runs nobody's work", name, why),
              "ask a System administrator for another account, or name an image");
}

}  // namespace

Result<engine::Account> UsableAccount(const MachineAccounts& accounts, const std::string& name) {
  if (!IsName(name)) return NotForWork(name, "has a name that no person's account has");
  if (name == "root") return NotForWork(name, "is the system's");
  if (!accounts.find) return Fail(Code::kNotFound, fmt::format("no account '{}'", name));
  YARD_ASSIGN(engine::Account account, accounts.find(name));
  if (account.uid < kFirstPerson) return NotForWork(name, "is the system's");
  if (account.uid == accounts.server_uid) return NotForWork(name, "is the server's own");
  if (!MayRunWork(accounts, name, account)) {
    return NotForWork(name, "is not among native-accounts");
  }
  return account;
}

Status CheckAccountName(const MachineAccounts& accounts, const std::string& name) {
  Result<engine::Account> account = UsableAccount(accounts, name);
  if (account || account.error().code == Code::kNotFound) return {};
  return Fail(Code::kInvalid, "unixName: " + account.error().message,
              "give the account of a person, uid 1000 or above");
}

std::string LocalPartOf(std::string_view email) {
  return std::string(email.substr(0, email.find('@')));
}

std::optional<std::string> AccountNameOf(const User& user) {
  if (user.unix_name) return user.unix_name;
  if (user.unix_by_email) return LocalPartOf(user.email);
  return std::nullopt;
}

Ptr<User> HolderOfAccount(const State& state, std::string_view name, UserId self) {
  Ptr<User> holder;
  state.Of<User>().Each([&](const User& user) {
    // Some directories of accounts do not tell 'Ann' from 'ann'.
    std::optional<std::string> account = AccountNameOf(user);
    if (user.id != self && account && EqualsIgnoreCase(*account, name)) {
      holder = state.Find<User>(user.id);
    }
    return !holder;
  });
  return holder;
}

}  // namespace yard::control
