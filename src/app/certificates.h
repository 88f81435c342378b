// The certificate that the server shows: made by itself, named by the operator, or none.
//
// For the thread that starts the server.
#pragma once

#include <optional>
#include <string>

#include "app/settings.h"
#include "base/result.h"
#include "http/tls.h"

namespace yard::app {

// The host by which others reach an address of ours: this machine's name if it is every address.
std::string HostOf(const Address& listen);

Result<std::optional<http::TlsFiles>> PrepareTls(const Settings& settings, const Address& listen);
// For a listener that always has TLS: with `tls: off` that of the local authority.
Result<http::TlsFiles> OwnCertificate(const Settings& settings, const Address& listen);

}  // namespace yard::app
