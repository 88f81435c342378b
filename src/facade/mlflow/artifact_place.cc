#include "facade/mlflow/artifact_place.h"

#include <fmt/format.h>

#include "control/track/artifacts.h"

namespace yard::facade::mlflow {

Result<ProjectId> AllowPath(Ask& ask, std::string_view path) {
  YARD_TRY(control::CheckArtifactPath(path));
  std::string_view experiment = path.substr(0, path.find('/'));
  Result<Shared<Experiment>> found = ask.FindExperiment(experiment);
  if (found && (*found)->id == experiment) return (*found)->project;
  if (!found && found.error().code != Code::kNotFound) return Fail(found.error());
  return Fail(Code::kNotFound, fmt::format("there is no artifact '{}'", path));
}

Status AllowLocation(Ask& ask, std::string_view location) {
  constexpr std::string_view kScheme = kProxied.substr(0, kProxied.find('/'));
  if (!location.starts_with(kScheme)) return {};
  bool here = location.starts_with(kProxied);
  if (here && AllowPath(ask, location.substr(kProxied.size()))) return {};
  return Fail(Code::kInvalid, fmt::format("artifact_location: '{}' is not yours", location),
              "leave it out: the experiment gets a folder of its own");
}

}  // namespace yard::facade::mlflow
