#include "app/identity.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/random.h"
#include "base/steady_clock.h"
#include "base/sync_folder.h"
#include "control/auth/identity.h"
#include "control/auth/secrets.h"
#include "control/auth/tokens.h"
#include "control/commands/bootstrap.h"
#include "serve/auth/identity.h"

namespace yard::app {
namespace {

class KeptIdentity final : public Identity {
 public:
  KeptIdentity(control::TokenKey token_key, const control::VaultKey& vault_key)
      : signing_(token_key, SteadyClock()),
        vault_(vault_key),
        authenticator_(serve::MakeAuthenticator(
            signing_, serve::SystemAccountNames(),
            {.server_uid = geteuid(),
             .administrator = std::string(control::kFirstAdministrator)})) {}

  Status Prepare(control::Service& service, std::optional<std::string> admin_password);

  serve::Authenticator& authenticator() override { return *authenticator_; }
  serve::Identity& signing() override { return signing_; }
  const control::Vault& vault() const override { return vault_; }
  const std::optional<FirstCredentials>& first_credentials() const override { return first_; }

 private:
  serve::Identity signing_;
  control::Vault vault_;
  std::unique_ptr<serve::Authenticator> authenticator_;
  std::optional<FirstCredentials> first_;
};

Status KeptIdentity::Prepare(control::Service& service, std::optional<std::string> admin_password) {
  control::BootstrapOptions options;
  if (control::NeedsBootstrap(*service.Read())) {
    bool generated = !admin_password.has_value();
    std::string password =
        generated ? control::MakePassword(SystemRandom()) : *std::move(admin_password);
    YARD_TRY(control::CheckNewPassword(password));
    YARD_ASSIGN(options.admin_password_hash, signing_.Hash(password));
    if (generated) options.password = control::BootstrapOptions::Origin::kPrinted;
    first_ = FirstCredentials{options.admin_email, password, generated};
  }
  return control::Bootstrap(service, options);
}

Result<std::string> KeyFolder(const std::string& data_dir) {
  std::string folder = data_dir + "/keys";
  if (mkdir(folder.c_str(), 0700) == 0) {
    YARD_TRY(SyncFolder(data_dir));
    return folder;
  }
  if (errno == EEXIST) return folder;
  return Fail(Code::kUnavailable, fmt::format("cannot make {}: {}", folder, std::strerror(errno)),
              "the data directory must be writable by the server");
}

// Something that the vault's key has sealed, if there is any.
std::optional<std::string> AnySealed(const control::State& state) {
  std::optional<std::string> sealed;
  state.Of<Asset>().Each([&](const Asset& asset) {
    if (!asset.sealed_secret.empty()) sealed = asset.sealed_secret;
    return !sealed;
  });
  state.Of<NotifyRule>().Each([&](const NotifyRule& rule) {
    for (const std::string* text : {&rule.sealed_url, &rule.sealed_key}) {
      if (!sealed && !text->empty()) sealed = *text;
    }
    return !sealed;
  });
  return sealed;
}

}  // namespace

Result<std::unique_ptr<Identity>> Identity::Open(const std::string& data_dir,
                                                 control::Service& service,
                                                 std::optional<std::string> admin_password) {
  YARD_ASSIGN(std::string folder, KeyFolder(data_dir));
  YARD_ASSIGN(control::TokenKey token_key,
              control::LoadTokenKey(folder + "/token.key", SystemRandom()));
  YARD_ASSIGN(
      control::VaultKey vault_key,
      control::LoadOrMakeKey(folder + "/vault.key", SystemRandom(), AnySealed(*service.Read())));
  auto identity = std::make_unique<KeptIdentity>(token_key, vault_key);
  YARD_TRY(identity->Prepare(service, std::move(admin_password)));
  return identity;
}

}  // namespace yard::app
