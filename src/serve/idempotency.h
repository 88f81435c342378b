// Requests that are sent twice but carried out once.
//
// A POST may carry the header Idempotency-Key. The change, the fact that it was made under this key
// and its answer become durable together. For 24 hours the same request by the same subject gets
// the same answer and changes nothing; another request under the same key is refused. An answer
// that holds a secret is kept in memory alone, for ten minutes (one_time_replies.h); after that, or
// after a restart, its request sent again is refused but not carried out again.
#pragma once

#include "serve/call.h"
#include "serve/route.h"

namespace yard::serve {

// The same change, made at most once per key. Given back as it is if the request has no key;
// kInvalid if the key is malformed.
Result<Pending> Once(Call& call, Pending pending);

}  // namespace yard::serve
