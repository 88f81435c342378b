#include "app/identity.h"

#include "control/bootstrap.h"

namespace yard::app {
namespace {

// Stand-in until the real authenticator is here: everybody is the server itself.
class Everybody final : public api::Authenticator {
 public:
  Result<control::Principal> Authenticate(const http::Request&, const control::State&,
                                          Time) override {
    return control::SystemPrincipal();
  }
};

class StandIn final : public Identity {
 public:
  api::Authenticator& authenticator() override { return everybody_; }
  const std::optional<FirstCredentials>& first_credentials() const override { return first_; }
  const control::Vault& vault() const override { return vault_; }

 private:
  Everybody everybody_;
  control::Vault vault_{control::VaultKey{}};
  std::optional<FirstCredentials> first_;
};

}  // namespace

Result<std::unique_ptr<Identity>> Identity::Open(const std::string&, control::Service& service,
                                                 std::optional<std::string>) {
  YARD_TRY(control::Bootstrap(service, {}));
  return std::make_unique<StandIn>();
}

}  // namespace yard::app
