#include "wire/field_issues.h"

namespace yard::wire {

void WriteFieldIssues(Writer& w, std::string_view key, const std::vector<FieldIssue>& issues) {
  w.Key(key);
  w.BeginList();
  for (const FieldIssue& issue : issues) {
    w.Item();
    w.Begin();
    w("field", issue.field);
    w("details", issue.problem);
    w.End();
  }
  w.EndList();
}

}  // namespace yard::wire
