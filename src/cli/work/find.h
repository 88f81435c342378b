// Which workload is meant: "train", "vision/train", an id, its beginning or its end, "last".
//
// A plain name is looked for in the project in use first, then wherever the person may look.
// Several things at once: "sweep*", or the name of an array ("sweep" for "sweep-0", "sweep-1" …).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

enum class Existing {
  kLive,
  kEver,  // deleted ones too, if no live one answers; the newest of a name
};

// The one workload, as /api/v1/workloads lists it. kNotFound names near misses; kConflict the ids.
client::Outcome<json::value> FindWorkload(Session& session, const std::string& reference,
                                          Existing existing);

// One workload, or several that belong together: the items of an array, or those of a pattern.
struct Several {
  std::string name;  // "sweep"
  std::vector<json::value> items;
};
// Like FindWorkload, but several that belong together are no conflict.
client::Outcome<Several> FindSeveral(Session& session, const std::string& reference,
                                     Existing existing);
// FindSeveral of each; all are found before anything is answered, and none stands there twice.
client::Outcome<std::vector<json::value>> FindEach(Session& session,
                                                   const std::vector<std::string>& references,
                                                   Existing existing);

// Pure: which of `all` a word means that is no workload's name: a pattern, the name of an array, or
// the beginning or end of an id, of a workload's or an array's.
std::vector<json::value> Meant(const std::vector<json::value>& all, std::string_view word);
// Pure: kConflict unless it is one, one array, or everything that a pattern matches.
client::Outcome<Several> Together(const std::string& reference, std::vector<json::value> found);

// "sweep: 10 items, 3 Running, 7 Pending"
std::string SummaryOf(const Several& several);

// Every workload the person sees that `filter` (the API's filterBy; may be empty) lets through.
client::Outcome<std::vector<json::value>> ListWorkloads(Session& session, const std::string& filter,
                                                        Existing existing);

// The same with each array as one row, summed up by the server. Work that ended before
// `ended_after` is left out.
client::Outcome<std::vector<json::value>> ListFolded(Session& session, const std::string& filter,
                                                     std::optional<Time> ended_after);

// "*" in `pattern` stands for anything.
bool MatchesGlob(std::string_view text, std::string_view pattern);

// The project to work in: `named`, else the one in use, else the only one there is.
struct ProjectInUse {
  std::string id;
  std::string name;
  std::string cluster_id;
};
client::Outcome<ProjectInUse> FindProject(Session& session, const std::string& named);

// The e-mail or application id of whoever asks.
client::Outcome<std::string> WhoAmI(Session& session);

// The end of its id, which names it well enough for people.
std::string ShortId(const json::value& workload);
// "/api/v1/workloads/ID/…"
std::string PathOf(const json::value& workload, std::string_view rest);
// "/api/v1/workloads/trainings/ID…": the route of its kind.
std::string KindPathOf(const json::value& workload, std::string_view rest);

}  // namespace yard::cli
