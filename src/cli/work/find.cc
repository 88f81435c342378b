#include "cli/work/find.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/work/view.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;
using Workloads = std::vector<json::value>;

constexpr std::size_t kShortestPrefix = 4;
constexpr std::size_t kUuidLength = 36;

bool IsIdPart(std::string_view text) {
  return text.size() >= kShortestPrefix &&
         text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

void KeepNewest(Workloads& found) {
  auto newest = std::ranges::max_element(
      found, {}, [](const json::value& one) { return TextAt(one, "createdAt"); });
  found = {*newest};
}

Outcome<Workloads> List(Session& session, const std::string& filter, std::string_view deleted) {
  YARD_ASSIGN(client::Client * server, session.Server());
  ListRequest request;
  if (!filter.empty()) request.query.emplace_back("filterBy", filter);
  if (!deleted.empty()) request.query.emplace_back("deleted", deleted);
  return ListObjects(*server, **FindKind("workloads"), request);
}

// Deleted ones only when no live one is there.
Outcome<Workloads> Named(Session& session, const std::string& filter, Existing existing) {
  YARD_ASSIGN(Workloads found, List(session, filter, ""));
  if (found.empty() && existing == Existing::kEver) {
    YARD_ASSIGN(found, List(session, filter, "true"));
    if (!found.empty()) KeepNewest(found);
  }
  return found;
}

Failure NoSuch(const std::string& reference, const Workloads& all) {
  std::vector<std::string> names;
  for (const json::value& one : all) names.push_back(TextAt(one, "name"));
  std::vector<std::string_view> views(names.begin(), names.end());
  std::optional<std::string_view> near = Nearest(reference, views);
  return Failure({Code::kNotFound,
                  fmt::format("there is no workload '{}'{}", reference,
                              near ? fmt::format("; did you mean '{}'?", *near) : ""),
                  "see `gpuyard ps -a`"});
}

Outcome<Workloads> FindLast(Session& session) {
  YARD_ASSIGN(std::string me, WhoAmI(session));
  YARD_ASSIGN(Workloads mine, List(session, fmt::format("submittedBy=={}", me), ""));
  if (mine.empty())
    return std::unexpected(Failure({Code::kNotFound, "you have submitted nothing that is left"}));
  KeepNewest(mine);
  return mine;
}

Outcome<Workloads> ById(Session& session, const std::string& id) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value found, server->Get("/api/v1/workloads/" + id));
  return Workloads{found};
}

// The project that narrows a plain name; empty: none is in use.
std::string ProjectOfProfile(Session& session) {
  Result<Profile*> profile = session.profile();
  return profile ? (*profile)->project : std::string();
}

void PreferProject(Workloads& found, const std::string& project) {
  Workloads here;
  std::ranges::copy_if(found, std::back_inserter(here), [&](const json::value& one) {
    return TextAt(one, "projectName") == project;
  });
  if (!here.empty()) found = std::move(here);
}

bool IsOneArray(const Workloads& found) {
  std::string id = TextAt(found.front(), "array.id");
  return !id.empty() && std::ranges::all_of(found, [&](const json::value& one) {
    return TextAt(one, "array.id") == id;
  });
}

// Work that is there answers before deleted work, unless both are of one array.
void PreferPresent(Workloads& found) {
  auto gone = [](const json::value& one) { return !At(one, "deletedAt").is_null(); };
  if (found.empty() || IsOneArray(found) || std::ranges::all_of(found, gone)) return;
  std::erase_if(found, gone);
}

}  // namespace

bool MatchesGlob(std::string_view text, std::string_view pattern) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= text.size(); ++at) {
    if (MatchesGlob(text.substr(at), rest)) return true;
  }
  return false;
}

Outcome<Workloads> ListWorkloads(Session& session, const std::string& filter, Existing existing) {
  YARD_ASSIGN(Workloads all, List(session, filter, ""));
  if (existing == Existing::kLive) return all;
  YARD_ASSIGN(Workloads gone, List(session, filter, "true"));
  all.insert(all.end(), gone.begin(), gone.end());
  return all;
}

namespace {

// What the server says of arrays, put into the rows of their first items.
void TakeSums(const json::value& answer, Workloads& page) {
  const json::array* sums = At(answer, "arrays").if_array();
  if (sums == nullptr) return;
  std::map<std::string, const json::value*> by_first;
  for (const json::value& sum : *sums) by_first[TextAt(sum, "firstItem")] = &sum;
  for (json::value& one : page) {
    auto sum = by_first.find(TextAt(one, "id"));
    json::value* array = one.as_object().if_contains("array");
    if (sum == by_first.end() || array == nullptr || !array->is_object()) continue;
    for (const char* field : {"items", "phases"})
      array->get_object()[field] = At(*sum->second, field);
  }
}

}  // namespace

Outcome<Workloads> ListFolded(Session& session, const std::string& filter,
                              std::optional<Time> ended_after) {
  constexpr const char* kPage = "500";
  YARD_ASSIGN(client::Client * server, session.Server());
  Workloads all;
  while (true) {
    std::vector<std::pair<std::string, std::string>> query{{"limit", kPage},
                                                           {"offset", std::to_string(all.size())}};
    if (!filter.empty()) query.emplace_back("filterBy", filter);
    if (ended_after) query.emplace_back("endedAfter", FormatRfc3339(*ended_after));
    YARD_ASSIGN(json::value answer, server->Get("/api/v1/workloads/folded", std::move(query)));
    const json::array* rows = At(answer, "workloads").if_array();
    if (rows == nullptr) return all;
    Workloads page(rows->begin(), rows->end());
    TakeSums(answer, page);
    std::ranges::move(page, std::back_inserter(all));
    if (page.empty() || At(answer, "next").is_null()) return all;
  }
}

namespace {

// "sweep" and "sweep*" for "sweep-3", an item of an array.
bool IsCalled(const json::value& one, std::string_view word) {
  if (word.contains('*')) return MatchesGlob(TextAt(one, "name"), word);
  return !At(one, "array").is_null() && ArrayName(one) == word;
}

// Ids made in one minute begin alike, so their ends name them, too.
bool IsPartOf(std::string_view word, std::string_view id) {
  return IsIdPart(word) && (id.starts_with(word) || id.ends_with(word));
}

// Whether the word names the array that all of them are of, and not each by chance.
bool NamesArray(std::string_view word, const Workloads& found) {
  const json::value& first = found.front();
  return IsOneArray(found) && (IsCalled(first, word) || IsPartOf(word, TextAt(first, "array.id")));
}

std::string_view WithoutProject(std::string_view reference) {
  return reference.substr(reference.find('/') + 1);
}

}  // namespace

Workloads Meant(const Workloads& all, std::string_view word) {
  Workloads found;
  auto called = [word](const json::value& one) { return IsCalled(one, word); };
  std::ranges::copy_if(all, std::back_inserter(found), called);
  if (!found.empty()) return found;
  std::ranges::copy_if(all, std::back_inserter(found), [word](const json::value& one) {
    return IsPartOf(word, TextAt(one, "id")) || IsPartOf(word, TextAt(one, "array.id"));
  });
  return found;
}

namespace {

// Everything that a word could mean, at least one.
Outcome<Workloads> FindWorkloads(Session& session, const std::string& reference,
                                 Existing existing) {
  if (reference == "last" || reference == "@") return FindLast(session);
  std::size_t slash = reference.find('/');
  std::string word(WithoutProject(reference));
  std::string project = slash == std::string::npos ? "" : reference.substr(0, slash);
  // "workload/NAME" is what -o name prints.
  if (project == "workload") project.clear();
  std::string within = project.empty() ? "" : fmt::format("projectName=={}", project);
  if (word.size() == kUuidLength && IsIdPart(word)) return ById(session, word);
  if (!word.contains('*')) {
    std::string filter = fmt::format("name=={}{}{}", word, within.empty() ? "" : ",", within);
    YARD_ASSIGN(Workloads found, Named(session, filter, existing));
    if (project.empty()) PreferProject(found, ProjectOfProfile(session));
    if (!found.empty()) return found;
  }
  YARD_ASSIGN(Workloads all, ListWorkloads(session, within, existing));
  Workloads found = Meant(all, word);
  PreferPresent(found);
  if (found.empty()) return std::unexpected(NoSuch(reference, all));
  // An id is nowhere another's.
  bool by_name = IsCalled(found.front(), word);
  if (project.empty() && by_name) PreferProject(found, ProjectOfProfile(session));
  return found;
}

// Which one is meant, when several are.
Failure Ambiguous(const std::string& reference, const Workloads& found) {
  if (NamesArray(WithoutProject(reference), found)) {
    return Failure({Code::kConflict,
                    fmt::format("'{}' is an array of {} items", reference, found.size()),
                    fmt::format("name one of them: {}", TextAt(found.front(), "name"))});
  }
  std::vector<std::string> choices;
  for (const json::value& one : found) {
    choices.push_back(
        fmt::format("{}/{} ({})", TextAt(one, "projectName"), TextAt(one, "name"), ShortId(one)));
    if (choices.size() == 5) break;
  }
  return Failure({Code::kConflict,
                  fmt::format("'{}' could be {} workloads", reference, found.size()),
                  fmt::format("say which one, by name or id: {}{}", fmt::join(choices, ", "),
                              found.size() > choices.size() ? ", …" : "")});
}

}  // namespace

Outcome<json::value> FindWorkload(Session& session, const std::string& reference,
                                  Existing existing) {
  YARD_ASSIGN(Workloads found, FindWorkloads(session, reference, existing));
  if (found.size() == 1) return found.front();
  return std::unexpected(Ambiguous(reference, found));
}

Outcome<Several> Together(const std::string& reference, Workloads found) {
  bool together =
      found.size() == 1 || reference.contains('*') || NamesArray(WithoutProject(reference), found);
  if (!together) return std::unexpected(Ambiguous(reference, found));
  auto index = [](const json::value& one) {
    return ParseInt(TextAt(one, "array.index")).value_or(0);
  };
  std::ranges::stable_sort(found, {}, index);
  return Several{reference, std::move(found)};
}

Outcome<Several> FindSeveral(Session& session, const std::string& reference, Existing existing) {
  YARD_ASSIGN(Workloads found, FindWorkloads(session, reference, existing));
  return Together(reference, std::move(found));
}

Outcome<Workloads> FindEach(Session& session, const std::vector<std::string>& references,
                            Existing existing) {
  Workloads all;
  std::set<std::string> known;
  for (const std::string& reference : references) {
    YARD_ASSIGN(Several found, FindSeveral(session, reference, existing));
    for (json::value& one : found.items) {
      if (known.insert(TextAt(one, "id")).second) all.push_back(std::move(one));
    }
  }
  return all;
}

std::string SummaryOf(const Several& several) {
  std::vector<const json::value*> items;
  items.reserve(several.items.size());
  for (const json::value& one : several.items) items.push_back(&one);
  return fmt::format("{}: {} items, {}", several.name, items.size(), PhaseCounts(items));
}

namespace {

Failure WhichProject(const Workloads& projects) {
  constexpr std::size_t kShown = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, projects.size()); ++i)
    names += (i == 0 ? "" : ", ") + TextAt(projects[i], "name");
  if (projects.size() > kShown) names += ", …";
  return Failure({Code::kInvalid, fmt::format("which project? You may use {}", names),
                  "give -p NAME, or choose one with `gpuyard config project NAME`"});
}

}  // namespace

Outcome<ProjectInUse> FindProject(Session& session, const std::string& named) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind("projects");
  std::string name = named.empty() ? ProjectOfProfile(session) : named;
  json::value project;
  if (!name.empty()) {
    YARD_ASSIGN(project, FindObject(*server, kind, name));
  } else {
    YARD_ASSIGN(Workloads all, ListObjects(*server, kind, {}));
    if (all.empty()) {
      return std::unexpected(Failure({Code::kPrecondition, "there is no project you may use",
                                      "ask an administrator for access to one"}));
    }
    if (all.size() > 1) return std::unexpected(WhichProject(all));
    project = all.front();
  }
  return ProjectInUse{TextAt(project, "id"), TextAt(project, "name"), TextAt(project, "clusterId")};
}

Outcome<std::string> WhoAmI(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value me, server->Get("/api/v1/me"));
  return TextAt(me, "username");
}

std::string ShortId(const json::value& workload) {
  constexpr std::size_t kEnough = 8;
  std::string id = TextAt(workload, "id");
  return id.substr(id.size() > kEnough ? id.size() - kEnough : 0);
}

std::string PathOf(const json::value& workload, std::string_view rest) {
  return fmt::format("/api/v1/workloads/{}{}", TextAt(workload, "id"), rest);
}

std::string KindPathOf(const json::value& workload, std::string_view rest) {
  return fmt::format("/api/v1/workloads/{}/{}{}", SegmentOf(TextAt(workload, "type")),
                     TextAt(workload, "id"), rest);
}

}  // namespace yard::cli
