#include "app/single_sign_on.h"

#include <utility>

#include "base/file.h"
#include "base/strings.h"

namespace yard::app {
namespace {

bool IsLoopbackUrl(std::string_view url) {
  return url.starts_with("http://127.") || url.starts_with("http://localhost") ||
         url.starts_with("http://[::1]");
}

}  // namespace

Result<std::unique_ptr<oidc::Provider>> ProviderOf(const Settings& settings,
                                                   const std::string& url) {
  const std::string& issuer = settings.Text("oidc-issuer");
  if (issuer.empty()) return nullptr;
  if (!issuer.starts_with("https://") && !IsLoopbackUrl(issuer)) {
    return Fail(Code::kInvalid, "oidc-issuer: an identity provider is reached by https:// only",
                "plain http:// is taken for this machine's own addresses");
  }
  std::string home = settings.Text("public-url").empty() ? url : settings.Text("public-url");
  if (home.ends_with('/')) home.pop_back();
  oidc::Options options{.name = settings.Text("oidc-name"),
                        .issuer = issuer,
                        .client_id = settings.Text("oidc-client-id"),
                        .scopes = settings.Text("oidc-scopes"),
                        .email_claim = settings.Text("oidc-email-claim"),
                        .groups_claim = settings.Text("oidc-groups-claim"),
                        .callback = home + "/api/v1/oidc/callback",
                        .home = home + "/",
                        .take_over = settings.Text("oidc-take-over") == "verified-email"};
  if (const std::string& file = settings.Text("oidc-client-secret-file"); !file.empty()) {
    YARD_ASSIGN(std::string secret, ReadFile(file));
    options.client_secret = Trim(secret);
  }
  return std::make_unique<oidc::Provider>(std::move(options),
                                          oidc::MakeCurlFetch(settings.Text("oidc-ca-file")));
}

}  // namespace yard::app
