#include "base/refuse.h"

namespace yard {

Status RefuseFields(std::vector<FieldIssue> issues) {
  if (issues.empty()) return {};
  Error error{.code = Code::kInvalid};
  for (const FieldIssue& issue : issues) {
    if (!error.message.empty()) error.message += "; ";
    error.message += issue.field + " " + issue.problem;
  }
  error.details = "correct the named fields and send the request again";
  error.fields = std::move(issues);
  return Fail(std::move(error));
}

}  // namespace yard
