// The names of the HTTP framework that nearly every handler uses.
#pragma once

#include "serve/call.h"
#include "serve/list.h"
#include "serve/route.h"

namespace yard::api {

using serve::AcceptedReply;
using serve::Answer;
using serve::Call;
using serve::Cell;
using serve::Column;
using serve::Commit;
using serve::Empty;
using serve::ErrorReply;
using serve::Json;
using serve::JsonPage;
using serve::Later;
using serve::ListParameters;
using serve::ListQuery;
using serve::May;
using serve::MayByKind;
using serve::MethodName;
using serve::Need;
using serve::NeedsCheck;
using serve::Page;
using serve::ParseListQuery;
using serve::Pending;
using serve::Pointers;
using serve::Public;
using serve::QueryParameter;
using serve::Route;
using serve::RouteGroup;
using serve::Select;
using serve::SignedIn;
using serve::Slow;
using serve::StatusOf;

}  // namespace yard::api
