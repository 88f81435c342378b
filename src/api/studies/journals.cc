// Journals of studies whose search runs in other programs (control/study/journals.h): read, append,
// delete.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/studies/routes.h"
#include "api/studies/views.h"
#include "base/strings.h"
#include "serve/server.h"
#include "wire/fields.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

constexpr std::size_t kLongestName = 100;
constexpr std::size_t kLongestId = 100;
constexpr std::size_t kLongestEntry = 1U << 20;

bool IsWord(std::string_view text, std::size_t longest) {
  auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, plain);
}

struct ProjectJournal {
  control::Studies* studies = nullptr;
  control::JournalKey key;
};

// A project that is not there is refused like one that is out of reach.
Result<ProjectJournal> JournalOf(Call& call) {
  YARD_ASSIGN(control::Studies * studies, StudiesOf(call));
  const std::string_view text = call.Path("projectId");
  const std::optional<std::int64_t> number = ParseInt(text);
  if (!number) return Fail(Code::kInvalid, fmt::format("'{}' is not a project's id", text));
  ScopePath where{.project = ProjectId{*number}};
  const Ptr<Project> project = call.state().Find<Project>(ProjectId{*number});
  if (project) where = call.state().PathOf(*project);
  YARD_TRY(call.Require(where));
  if (!project) return Fail(Code::kNotFound, fmt::format("there is no project {}", *number));
  std::string name(call.Path("journalName"));
  if (!IsWord(name, kLongestName)) {
    return Fail(Code::kInvalid, "the name of a journal has at most 100 letters, digits and ._-");
  }
  return ProjectJournal{studies, {ProjectId{*number}, std::move(name)}};
}

Result<Answer> Read(Call& call) {
  YARD_ASSIGN(ProjectJournal of, JournalOf(call));
  const std::optional<std::int64_t> from = ParseInt(call.Query("from").value_or("0"));
  if (!from || *from < 0) return Fail(Code::kInvalid, "from is the number of an entry");
  control::JournalPage page = of.studies->journals().Read(of.key, static_cast<std::size_t>(*from));
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("entries");
  w.BeginList();
  for (const auto& entry : page.entries) {
    w.Item();
    w.Value(std::string_view(*entry));
  }
  w.EndList();
  w("next", static_cast<std::int64_t>(page.next));
  w("total", static_cast<std::int64_t>(page.total));
  w.End();
  return Json(std::move(out));
}

Answer Change(control::Studies* studies, control::JournalChange change) {
  return Later{[studies, change = std::move(change)](http::Respond respond) mutable {
    studies->ChangeJournal(std::move(change),
                           [respond = std::move(respond)](Status status) mutable {
                             respond(status ? Empty(204) : ErrorReply(status.error()));
                           });
  }};
}

Result<Answer> Append(Call& call) {
  YARD_ASSIGN(ProjectJournal of, JournalOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  control::JournalAppend append{.key = std::move(of.key),
                                .id = std::string(wire::TextOrEmpty(body, "id")),
                                .entries = wire::TextsOf(body, "entries")};
  if (!IsWord(append.id, kLongestId)) {
    return Fail(Code::kInvalid, "id: at most 100 letters, digits and ._-");
  }
  for (const std::string& entry : append.entries) {
    if (entry.size() > kLongestEntry) return Fail(Code::kTooLarge, "an entry has at most 1 MiB");
  }
  return Change(of.studies, std::move(append));
}

Result<Answer> Delete(Call& call) {
  YARD_ASSIGN(ProjectJournal of, JournalOf(call));
  return Change(of.studies, control::JournalRemoval{std::move(of.key)});
}

}  // namespace

void AddStudyJournalRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kOne = "/api/v1/study-journals/{projectId}/{journalName}";
  routes.insert(routes.end(), {{kGet,
                                kOne,
                                May(Action::kRead, Resource::kTrainings),
                                Read,
                                "Read the journal of studies that another program searches",
                                "",
                                "StudyJournalPage",
                                200,
                                {{"from", "int"}}},
                               {kPost, kOne, May(Action::kCreate, Resource::kTrainings), Append,
                                "Append to a journal; the same id again changes nothing",
                                "StudyJournalAppend", "", 204},
                               {kDelete, kOne, May(Action::kDelete, Resource::kTrainings), Delete,
                                "Delete a journal", "", "", 204}});
}

}  // namespace yard::api
