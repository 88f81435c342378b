// How a route judges where a caller's role is granted, for the authorisation tests.
//
// One table says it per resource, so that every route of a known resource is placed by what it
// needs, and a route of an unknown one fails the tests instead of being left out.
// Pure functions; thread-safe.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "api/handler.h"

namespace yard::api::testing {

// Where a role must be granted to reach something.
enum class Judged {
  kProject,        // at the project that holds it, or above
  kDepartment,     // at its department, or above
  kCluster,        // at its cluster, or above
  kInsideCluster,  // anywhere in its cluster: whoever works there may know what it consists of
  kTenant,         // at the tenant
  kSubject,        // by whoever holds everything that the user or application itself holds
  kAnywhere,       // belongs to no place: granted anywhere
};

// Where a caller of the tests holds its role. The first four contain our project, the others
// lie beside it: a project of another department, and one of another cluster.
enum class Position { kProject, kDepartment, kCluster, kTenant, kNextDoor, kFarAway };
inline constexpr std::array kPositions{Position::kProject,  Position::kDepartment,
                                       Position::kCluster,  Position::kTenant,
                                       Position::kNextDoor, Position::kFarAway};
std::string_view Name(Position position);

// Nothing if the table has no row for the route's resource.
std::optional<Judged> JudgedOf(const Route& route);

// Whether a role granted there reaches what lies in our project, department or cluster.
bool Reaches(Position position, Judged judged);

// A list: admits whoever may read at all and shows each entry to those who reach it.
bool IsList(const Route& route, Judged judged);

// Whether a list shows things by name, so that seeing them can be told from not seeing them.
bool ShowsNames(const Route& route);

// What an allowed call answers: the route's own status unless it is documented otherwise.
int AllowedStatus(const Route& route);

}  // namespace yard::api::testing
