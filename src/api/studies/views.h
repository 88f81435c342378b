// What the routes of studies share: the study a request is about, and answers.
#pragma once

#include <functional>
#include <string>

#include "api/handler.h"
#include "control/study/studies.h"

namespace yard::api {

// kUnavailable if the server keeps no studies.
Result<control::Studies*> StudiesOf(Call& call);

// The study of the path, once the caller's permission on its project is checked.
Result<control::SharedStudy> AllowedStudy(Call& call);
// The same, to change it or what it runs: where the project keeps its members' work apart, the
// owner's alone.
Result<control::SharedStudy> OrderedStudy(Call& call);
// The trial of the path.
Result<std::int64_t> TrialNumberOf(const Call& call, const control::StudyView& view);

std::string StudyJson(const control::StudyView& view);
std::string TrialJson(const control::StudyView& view, const StudyTrial& trial);

// An order to a study, and the answer made of the study after it. `order` gives what `render`
// needs.
using StudyRender = std::move_only_function<http::Reply(const control::StudyView& view)>;
Answer ChangeStudy(Call& call, StudyId id, control::StudyOrder order, StudyRender render);

}  // namespace yard::api
