// MLflow's REST API, as its unmodified clients (2.x and 3.x) use it, over tracked runs.
//
// Served below /api/2.0 and /api/3.0, and once more below /mlflow/{workspace}, which chooses the
// project for clients that cannot send the workspace header.
#pragma once

#include <vector>

#include "serve/dialect.h"
#include "serve/route.h"
#include "serve/upload.h"

namespace yard::facade::mlflow {

// The groups of routes, without their prefixes.
void AddServerRoutes(std::vector<serve::Route>& routes);
void AddExperimentRoutes(std::vector<serve::Route>& routes);
void AddRunRoutes(std::vector<serve::Route>& routes);
void AddLogRoutes(std::vector<serve::Route>& routes);
void AddHistoryRoutes(std::vector<serve::Route>& routes);
void AddSearchRoutes(std::vector<serve::Route>& routes);
void AddArtifactRoutes(std::vector<serve::Route>& routes);
void AddPartUploadRoutes(std::vector<serve::Route>& routes);
void AddRegisteredModelRoutes(std::vector<serve::Route>& routes);
void AddModelVersionRoutes(std::vector<serve::Route>& routes);
void AddLoggedModelRoutes(std::vector<serve::Route>& routes);
void AddInputRoutes(std::vector<serve::Route>& routes);

// Every route, for a server's table.
const std::vector<serve::Route>& Routes();
// The route by which one part of a file comes.
serve::UploadRoute PartUpload();
// Those that take large files.
std::vector<serve::UploadRoute> Uploads();
// How they say no.
const std::vector<serve::Dialect>& Dialects();

}  // namespace yard::facade::mlflow
