#include "cli/submit/never.h"

#include <string>

#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/work/why.h"

namespace yard::cli {

void WarnOfNever(Session& session, const Submission& submission, const SentWork& sent) {
  client::Outcome<std::string> answer = AskWhetherEver(session, submission);
  Result<json::value> why = answer ? ParseJson(*answer) : Result<json::value>(json::value());
  if (!why) return;
  std::string warning = RenderNever(*why, sent.name);
  if (!warning.empty()) session.Note(warning);
}

}  // namespace yard::cli
