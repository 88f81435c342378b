// A pass opens the tool of one workload to one person, and nothing else.
//
// A code stands in a link for a moment and becomes a ticket, which a browser keeps as a cookie. The
// API's tokens have another form, so none of the three passes for another. Pure: whoever takes
// codes remembers the numbers of those used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "base/uuid.h"
#include "control/auth/tokens.h"

namespace yard::control {

inline constexpr Micros kToolCodeLifetime = Minutes(1);
inline constexpr Micros kToolTicketLifetime = Hours(1);

struct ToolPass {
  enum class Kind { kCode, kTicket };
  Kind kind = Kind::kTicket;
  Uuid user;
  std::int64_t epoch = 0;  // of the user when it was issued
  Uuid workload;
  std::uint64_t number = 0;  // of a code: no two have the same
  Time expires_at;
};

std::string IssueToolPass(const TokenKey& key, const ToolPass& pass);

// kUnauthorized if the text is no pass of that kind, or has expired.
Result<ToolPass> VerifyToolPass(const TokenKey& key, ToolPass::Kind kind, std::string_view text,
                                Time now);

}  // namespace yard::control
