#include "api/studies/views.h"

#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/policy/own_work.h"
#include "serve/server.h"
#include "wire/study.h"

namespace yard::api {

Result<control::Studies*> StudiesOf(Call& call) {
  if (control::Studies* studies = call.server().context().studies) return studies;
  return Fail(Code::kUnavailable, "this server keeps no studies");
}

Result<control::SharedStudy> AllowedStudy(Call& call) {
  YARD_ASSIGN(control::Studies * studies, StudiesOf(call));
  std::optional<Uuid> id = ParseUuid(call.Path("studyId"));
  control::SharedStudy view = id ? studies->Find(StudyId{*id}) : nullptr;
  if (!view) {
    return Fail(Code::kNotFound, fmt::format("there is no study '{}'", call.Path("studyId")),
                "see GET /api/v1/studies for the ids");
  }
  ScopePath where{.project = view->study.project};
  if (Ptr<Project> project = call.state().Find<Project>(view->study.project)) {
    where = call.state().PathOf(*project);
  }
  YARD_TRY(call.Require(where));
  return view;
}

Result<control::SharedStudy> OrderedStudy(Call& call) {
  YARD_ASSIGN(control::SharedStudy view, AllowedStudy(call));
  const Study& study = view->study;
  const control::Owned owned{
      .kind = "study", .name = study.name, .owner = study.owner, .project = study.project};
  YARD_TRY(control::RequireTouch(call.state(), call.who(), owned, control::Touch::kOrder));
  return view;
}

Result<std::int64_t> TrialNumberOf(const Call& call, const control::StudyView& view) {
  std::optional<std::int64_t> number = ParseInt(call.Path("trialNumber"));
  const auto count = static_cast<std::int64_t>(view.trials.size());
  if (number && *number >= 0 && *number < count) return *number;
  return Fail(Code::kNotFound, fmt::format("study '{}' has no trial '{}'", view.study.name,
                                           call.Path("trialNumber")));
}

std::string StudyJson(const control::StudyView& view) {
  std::string out;
  wire::Writer w(out);
  wire::WriteStudy(w, view.study, control::CountsOf(view));
  return out;
}

std::string TrialJson(const control::StudyView& view, const StudyTrial& trial) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  wire::WriteTrial(w, view.study, trial);
  w.End();
  return out;
}

Answer ChangeStudy(Call& call, StudyId id, control::StudyOrder order, StudyRender render) {
  control::Studies* studies = call.server().context().studies;
  return Later{[studies, id, order = std::move(order),
                render = std::move(render)](http::Respond respond) mutable {
    studies->Change(id, std::move(order),
                    [studies, id, render = std::move(render),
                     respond = std::move(respond)](Status status) mutable {
                      if (!status) return respond(ErrorReply(status.error()));
                      control::SharedStudy view = studies->Find(id);
                      respond(view ? render(*view) : Empty(204));
                    });
  }};
}

}  // namespace yard::api
