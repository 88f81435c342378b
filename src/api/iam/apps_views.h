// What the routes of the tenant's and of a user's own applications share.
#pragma once

#include <string>
#include <string_view>

#include "api/iam/iam_views.h"
#include "control/commands/applications.h"

namespace yard::api {

using CreateCommand = Result<Ptr<Application>> (*)(control::Txn&, const control::ApplicationDraft&);
using RotateCommand = Result<Ptr<Application>> (*)(control::Txn&, ApplicationId, std::string);

// The application that the path names.
Result<ApplicationId> ApplicationIdOf(const Call& call);
// Answers with the secret, which is never shown again.
Result<Answer> MakeApplication(Call& call, CreateCommand create);
Result<Answer> RenewSecret(Call& call, RotateCommand rotate);
Status CheckApplicationName(std::string_view name);

}  // namespace yard::api
