// The REST API of Omniverse Farm's queue (2.x), as its users' scripts and programs call it: job
// definitions, tasks, logs and agents. A task is a training; a job definition belongs to a project.
//
// Served below /queue/management, and once more below /farm/{project}, which chooses the project.
#pragma once

#include <vector>

#include "serve/dialect.h"
#include "serve/route.h"

namespace yard::facade::farm {

// The groups of routes, without the choice of a project.
void AddJobRoutes(std::vector<serve::Route>& routes);
void AddTaskRoutes(std::vector<serve::Route>& routes);
void AddTaskOrderRoutes(std::vector<serve::Route>& routes);
void AddLogRoutes(std::vector<serve::Route>& routes);
void AddAgentRoutes(std::vector<serve::Route>& routes);

// Every route, for a server's table.
const std::vector<serve::Route>& Routes();
// How they say no.
const std::vector<serve::Dialect>& Dialects();

}  // namespace yard::facade::farm
