// Carries messages by HTTP and SMTP, through libcurl.
//
// Redirects are not followed, proxies of the environment are not used, and what a target answers is
// not read beyond its status: nobody learns through a rule what only the server may see. Whether a
// rule may reach a private address is judged on the address itself. libcurl stays in the source.
// Thread-safe.
#pragma once

#include <memory>
#include <string>

#include "control/auth/secrets.h"
#include "control/notify/courier.h"

namespace yard::notify {

// Whose rules may reach addresses that are not public.
enum class PrivateTargets { kNobody, kAdministrators, kEverybody };

struct CourierOptions {
  std::string smtp_url;  // smtp://host:587 or smtps://host:465; empty: no mail
  std::string smtp_user;
  std::string smtp_password;
  std::string from;
  std::string link;     // the dashboard's address, for messages; empty: none is known
  std::string ca_file;  // whom HTTPS and SMTP servers are signed by; empty: as the system says
  PrivateTargets private_targets = PrivateTargets::kAdministrators;
  Micros connect_timeout = Seconds(5);
  Micros timeout = Seconds(15);
};

// The vault must outlive it.
std::unique_ptr<control::Courier> MakeCurlCourier(const control::Vault& vault,
                                                  CourierOptions options);

}  // namespace yard::notify
