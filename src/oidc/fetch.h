// Requests to the identity provider, over libcurl. Blocks; any thread.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace yard::oidc {

class Fetch {
 public:
  virtual ~Fetch() = default;
  // The body of a 200 answer; anything else is kUnavailable with what was answered.
  virtual Result<std::string> Get(const std::string& url) = 0;
  struct Form {
    std::string url;
    std::string user;  // for basic authentication, encoded as in a form; empty: none
    std::string password;
    std::string body;
  };
  virtual Result<std::string> Post(const Form& form) = 0;
};

// `ca_file`: certificates to trust instead of the system's; empty: the system's.
std::unique_ptr<Fetch> MakeCurlFetch(std::string ca_file);

}  // namespace yard::oidc
