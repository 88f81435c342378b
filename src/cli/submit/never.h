// A warning about work that can never run here.
#pragma once

#include "cli/session.h"
#include "cli/submit/send.h"
#include "cli/submit/submission.h"

namespace yard::cli {

// What can never run waits for ever, and nobody would notice: says so, with what would help.
void WarnOfNever(Session& session, const Submission& submission, const SentWork& sent);

}  // namespace yard::cli
