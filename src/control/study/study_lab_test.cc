#include "control/testing/study_lab.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "wire/study.h"

namespace yard::control {

Study StudyOf(std::string_view spec) {
  Study study;
  study.id = StudyId{Uuid{{1}}};
  study.name = "search";
  study.document.json = spec;
  Result<json::value> parsed = ParseJson(spec);
  Result<StudySpec> read = wire::ReadStudySpec(parsed->as_object());
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
  study.spec = *read;
  study.budget = study.spec.budget;
  study.seed = static_cast<std::uint64_t>(study.spec.seed.value_or(0));
  study.stamp.created_at = kStart;
  return study;
}

}  // namespace yard::control
