// Studies: make, list, pause, resume, extend, stop, delete.
#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/studies/routes.h"
#include "api/studies/views.h"
#include "api/workloads/data_pins.h"
#include "base/mask.h"
#include "base/uuid.h"
#include "control/commands/text_room.h"
#include "control/study/work.h"
#include "serve/server.h"
#include "wire/fields.h"
#include "wire/study.h"

namespace yard::api {
namespace {

using control::SharedStudy;
using control::StudyEngine;
using control::StudyView;

constexpr std::size_t kLongestName = 50;  // a trial's number is added
constexpr std::uint64_t kMostSeed = (std::uint64_t{1} << 53) - 1;

std::uint64_t RandomSeed(Random& random) {
  std::array<std::uint8_t, 8> bytes{};
  random.Fill(bytes);
  std::uint64_t seed = 0;
  for (std::uint8_t byte : bytes) seed = seed << 8 | byte;
  return seed & kMostSeed;
}

// Trials see the data sets as their tags stand now, as other work does, if the caller may read
// them.
Status PinDataSets(Call& call, ProjectId project, json::object& body) {
  json::value* spec = body.if_contains("spec");
  json::value* workload =
      spec != nullptr && spec->is_object() ? spec->get_object().if_contains("workload") : nullptr;
  if (workload == nullptr || !workload->is_object()) return {};
  YARD_ASSIGN(auto pinned, WithDataVersions(call, project, &workload->get_object()));
  if (pinned) *workload = *std::move(pinned);
  return {};
}

Result<Study> ReadStudy(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(wire::StudyHead head, wire::ReadStudyHead(body));
  ScopePath where{.project = head.project};
  Ptr<Project> project = call.state().Find<Project>(head.project);
  if (project) where = call.state().PathOf(*project);
  YARD_TRY(call.Require(where));
  if (!project) return Fail(Code::kInvalid, "projectId: there is no such project");
  if (head.name.size() > kLongestName) {
    return Fail(Code::kInvalid, fmt::format("name: at most {} characters", kLongestName));
  }
  YARD_TRY(PinDataSets(call, head.project, body));
  // With the versions.
  YARD_ASSIGN(head, wire::ReadStudyHead(body));
  if (head.document.json.size() > control::kMostTextBytes) {
    return Fail(Code::kTooLarge, fmt::format("spec: at most {} bytes", control::kMostTextBytes),
                "put large contents into a data set, a volume or the image");
  }
  if (HoldsMask(head.document.json)) {
    return Fail(Code::kInvalid, "spec.workload: a URL has a mask in the place of its credentials",
                "send the credentials, or better a credential asset");
  }
  const control::Principal& who = call.who();
  Study study;
  study.id = StudyId{MakeUuid(call.now(), call.service().random())};
  study.project = head.project;
  study.name = std::move(head.name);
  study.document = std::move(head.document);
  study.spec = std::move(head.spec);
  study.budget = study.spec.budget;
  study.seed = study.spec.seed ? static_cast<std::uint64_t>(*study.spec.seed)
                               : RandomSeed(call.service().random());
  study.owner_type = who.type;
  study.owner = who.id;
  study.owner_user = who.user;
  study.stamp = {call.now(), who.id, call.now(), who.id};
  return study;
}

// A study of the same project, where the caller may make this one, and so read the other.
Result<std::vector<control::EarlierResult>> EarlierOf(const control::Studies& studies,
                                                      const Study& study) {
  const std::string& name = study.spec.start_from;
  if (name.empty()) return std::vector<control::EarlierResult>();
  for (const SharedStudy& view : studies.All()) {
    if (view->study.project != study.project || view->study.name != name) continue;
    return control::EarlierResults(*view, study.spec);
  }
  return Fail(Code::kInvalid,
              fmt::format("spec.startFrom: the project has no study named '{}'", name));
}

Result<Answer> Create(Call& call) {
  YARD_ASSIGN(control::Studies * studies, StudiesOf(call));
  YARD_ASSIGN(Study study, ReadStudy(call));
  // The first suggestion may take a while in a large space.
  return Slow{.work = [studies, study = std::move(study),
                       state = call.snapshot()]() mutable -> Result<Slow::Outcome> {
    YARD_TRY(control::CheckStudy(*state, study));
    YARD_ASSIGN(auto earlier, EarlierOf(*studies, study));
    control::NewStudy made{.study = std::move(study), .earlier = std::move(earlier)};
    return Later{[studies, made = std::move(made)](http::Respond respond) mutable {
      StudyId id = made.study.id;
      studies->Create(std::move(made),
                      [studies, id, respond = std::move(respond)](Status status) mutable {
                        if (!status) return respond(ErrorReply(status.error()));
                        respond(Json(StudyJson(*studies->Find(id)), 201));
                      });
    }};
  }};
}

constexpr Column<StudyView> kColumns[] = {
    {"name", [](const StudyView& v) -> Cell { return std::string_view(v.study.name); }, true},
    {"projectId", [](const StudyView& v) -> Cell { return v.study.project.value; }},
    {"state", [](const StudyView& v) -> Cell { return wire::ToName(v.study.state); }},
    {"createdBy", [](const StudyView& v) -> Cell { return std::string_view(v.study.owner); }, true},
    {"createdAt", [](const StudyView& v) -> Cell { return v.study.stamp.created_at; }},
};

Result<Answer> List(Call& call) {
  YARD_ASSIGN(control::Studies * studies, StudiesOf(call));
  std::span<const Column<StudyView>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<SharedStudy> all = studies->All();
  std::vector<const StudyView*> rows;
  for (const SharedStudy& view : all) {
    Ptr<Project> project = call.state().Find<Project>(view->study.project);
    if (project && call.Sees(call.state().PathOf(*project))) rows.push_back(view.get());
  }
  call.NeedsNoScope();  // with none there was none to check
  Page<StudyView> page = Select(rows, columns, query);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("studies");
  w.BeginList();
  for (const StudyView* row : page.rows) {
    w.Item();
    wire::WriteStudy(w, row->study, control::CountsOf(*row));
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return JsonPage(std::move(out), page.total);
}

Result<Answer> Get(Call& call) {
  YARD_ASSIGN(SharedStudy view, AllowedStudy(call));
  return Json(StudyJson(*view));
}

Result<Answer> Delete(Call& call) {
  YARD_ASSIGN(SharedStudy view, OrderedStudy(call));
  control::Studies* studies = call.server().context().studies;
  return Later{[studies, id = view->study.id](http::Respond respond) {
    studies->Remove(id, [respond = std::move(respond)](Status status) mutable {
      respond(status ? Empty(204) : ErrorReply(status.error()));
    });
  }};
}

http::Reply WholeStudy(const StudyView& view) {
  return Json(StudyJson(view));
}

template <Status (StudyEngine::*kOrder)(Time)>
Result<Answer> Order(Call& call) {
  YARD_ASSIGN(SharedStudy view, OrderedStudy(call));
  return ChangeStudy(
      call, view->study.id, [](StudyEngine& engine, Time now) { return (engine.*kOrder)(now); },
      WholeStudy);
}

Result<Answer> Stop(Call& call) {
  YARD_ASSIGN(SharedStudy view, OrderedStudy(call));
  return ChangeStudy(
      call, view->study.id,
      [by = call.who().id](StudyEngine& engine, Time now) { return engine.Stop(by, now); },
      WholeStudy);
}

Result<Answer> Extend(Call& call) {
  YARD_ASSIGN(SharedStudy view, OrderedStudy(call));
  YARD_ASSIGN(json::object body, call.Body());
  StudyBudget budget{.trials = wire::WholeOf(body, "maxTrials"),
                     .seconds = wire::WholeOf(body, "maxDurationSeconds"),
                     .gpu_hours = wire::NumberOf(body, "maxGpuHours")};
  if (!budget.trials && !budget.seconds && !budget.gpu_hours) {
    return Fail(Code::kInvalid, "nothing is extended",
                "send maxTrials, maxDurationSeconds or maxGpuHours");
  }
  return ChangeStudy(
      call, view->study.id,
      [budget](StudyEngine& engine, Time now) { return engine.Extend(budget, now); }, WholeStudy);
}

}  // namespace

void AddStudyRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/studies";
  constexpr std::string_view kOne = "/api/v1/studies/{studyId}";
  constexpr Need kRead = May(Action::kRead, Resource::kTrainings);
  constexpr Need kUpdate = May(Action::kUpdate, Resource::kTrainings);
  routes.insert(routes.end(),
                {{kGet, kAll, kRead, List, "List studies", "", "StudyList", 200, ListParameters()},
                 {kPost, kAll, May(Action::kCreate, Resource::kTrainings), Create,
                  "Search for the best parameters", "StudyDraft", "Study", 201},
                 {kGet, kOne, kRead, Get, "Get a study", "", "Study"},
                 {kDelete, kOne, May(Action::kDelete, Resource::kTrainings), Delete,
                  "Delete a study; the workloads of its trials stay", "", "", 204},
                 {kPost, "/api/v1/studies/{studyId}/pause", kUpdate, Order<&StudyEngine::Pause>,
                  "Begin no new trial", "", "Study"},
                 {kPost, "/api/v1/studies/{studyId}/resume", kUpdate, Order<&StudyEngine::Resume>,
                  "Let a study go on", "", "Study"},
                 {kPost, "/api/v1/studies/{studyId}/stop", kUpdate, Stop,
                  "End a study and the trials that run", "", "Study"},
                 {kPost, "/api/v1/studies/{studyId}/extend", kUpdate, Extend,
                  "Raise the budget of a study", "StudyBudget", "Study"}});
}

}  // namespace yard::api
