// One identity provider: where it is, how a sign-in begins there and how it ends.
//
// Authorization code flow with PKCE (S256), state and nonce. What a sign-in has to remember goes
// along with the browser, sealed by the caller, so the provider keeps nothing but the provider's
// own documents: metadata for an hour, keys until a token names one that is not among them.
// Thread-safe. Begin and Finish may ask the provider and block.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "oidc/fetch.h"
#include "oidc/id_token.h"

namespace yard::oidc {

struct Options {
  std::string name;    // what people call it
  std::string issuer;  // "https://login.example.org/realms/lab"
  std::string client_id;
  std::string client_secret;  // empty: a public client
  std::string scopes = "openid email profile groups";
  std::string email_claim = "email";
  std::string groups_claim = "groups";
  std::string callback;    // where the provider sends the browser back to
  std::string home;        // where it sends the browser after a sign-out there
  bool take_over = false;  // a user with a password goes on as the one of the same verified e-mail
};

// What a sign-in that has begun must find again at its end.
struct Attempt {
  std::string state;
  std::string nonce;
  std::string verifier;
  Time expires_at;
};
std::string WriteAttempt(const Attempt& attempt);
std::optional<Attempt> ReadAttempt(std::string_view text);

inline constexpr Micros kAttemptLifetime = Minutes(10);

class Provider {
 public:
  Provider(Options options, std::unique_ptr<Fetch> fetch)
      : options_(std::move(options)), fetch_(std::move(fetch)) {}

  const Options& options() const { return options_; }

  struct Begun {
    std::string url;  // where the browser goes
    Attempt attempt;
  };
  Result<Begun> Begin(Random& random, Time now);

  struct Answer {
    std::string state;
    std::string code;
  };
  // Who has signed in. kUnauthorized unless everything holds.
  Result<Person> Finish(const Attempt& attempt, const Answer& answer, Time now);

  // Where a browser goes to sign out there too; nothing if the provider has no such place.
  Result<std::optional<std::string>> SignOutUrl(Time now);

 private:
  struct Metadata {
    std::string authorization;
    std::string token;
    std::string keys;
    std::string end_session;
    Time read_at;
  };
  Result<Metadata> Discover(Time now);
  Result<KeySet> KeysFor(const Metadata& metadata, std::string_view key_id, Time now);
  Result<std::string> Exchange(const Metadata& metadata, const Attempt& attempt,
                               const std::string& code);

  const Options options_;
  const std::unique_ptr<Fetch> fetch_;

  Mutex mutex_;
  std::optional<Metadata> metadata_ YARD_GUARDED_BY(mutex_);
  std::optional<KeySet> keys_ YARD_GUARDED_BY(mutex_);
  Time keys_read_at_ YARD_GUARDED_BY(mutex_);
};

}  // namespace yard::oidc
