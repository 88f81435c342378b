// Sends a submission: finds the project, makes the requests, shows what came of them.
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/submit/submission.h"
#include "client/client.h"

namespace yard::cli {

struct Submitted {
  std::string id;
  std::string name;
};

struct SentWork {
  std::string project;
  std::string name;  // of the whole: an array's items have their own
  std::vector<Submitted> items;
  std::vector<std::string> records;  // JSON, as the API answered
};

// The first refusal ends it; what was submitted before stays and is named.
client::Outcome<SentWork> Send(Session& session, Submission submission);

// What would happen: the answer of the dry run, as JSON text.
client::Outcome<std::string> DryRun(Session& session, Submission submission);

// Whether it can ever run here, as the dry run says it; empty if it asks for nothing that could be
// too much.
client::Outcome<std::string> AskWhetherEver(Session& session, const Submission& submission);

// "0123abcd-…", a random UUID of version 4.
std::string NewUuidText(Session& session);

}  // namespace yard::cli
