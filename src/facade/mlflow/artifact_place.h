// Whose a path among the uploaded files is.
#pragma once

#include <string_view>

#include "base/result.h"
#include "facade/mlflow/ask.h"

namespace yard::facade::mlflow {

// What an address of a file on this server begins with: `mlflow-artifacts:/EXPERIMENT/…`.
inline constexpr std::string_view kProxied = "mlflow-artifacts:/";

// The first part of a path is an experiment, and its project, which is answered, says who may use
// it. The short name "0" is no folder: everybody has another experiment by it.
Result<ProjectId> AllowPath(Ask& ask, std::string_view path);

// Where an experiment may keep its files: elsewhere, or below an experiment that the caller may
// use.
Status AllowLocation(Ask& ask, std::string_view location);

}  // namespace yard::facade::mlflow
