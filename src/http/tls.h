// The local certificate authority and the server certificate it signs.
//
// Made at first start, so that HTTPS works without any set-up: whoever trusts ca.crt trusts the
// server. The authority is never replaced; losing it would break that trust silently.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "http/server.h"

namespace yard::http {

// Makes what is missing in `dir`: ca.crt and ca.key (10 years), server.crt (with its chain) and
// server.key (825 days, what clients accept at most). Keys are EC P-256, readable by the owner
// only. The server certificate is for localhost, 127.0.0.1, ::1 and `hosts` (names or addresses);
// it is renewed when less than 30 days remain, when a host is not in it yet, or when it does not
// fit its key or the authority. Nothing else is touched. Two processes must not call it for one
// `dir` at the same time.
Result<TlsFiles> EnsureCertificates(const std::string& dir, const std::vector<std::string>& hosts,
                                    const Clock& clock);

}  // namespace yard::http
