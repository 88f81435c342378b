// What somebody asks to run, in whatever grammar it was said, and the requests that ask for it.
//
// Pure: reads no file, asks no server. An array or a grid of parameters is one Submission and
// becomes one request per item; the items share an array id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/submit/parse.h"
#include "cli/submit/spec.h"

namespace yard::cli {

enum class WorkKind { kTraining, kWorkspace, kDistributed, kInference };
std::string_view Name(WorkKind kind);           // "Training": as dry runs and lists spell it
std::string_view SegmentOfKind(WorkKind kind);  // "trainings": of the API's path

// What becomes of a name that is taken.
enum class Naming {
  kExact,   // the submission is refused
  kPrefix,  // every name gets a random suffix
  kNumber,  // "train-2", "train-3" …
};

struct Submission {
  WorkKind kind = WorkKind::kTraining;
  std::string name;  // empty: made from the command
  Naming naming = Naming::kExact;
  std::string project;  // empty: the one in use
  // Replaces the image's entry point; without an image it is what runs on the node.
  std::vector<std::string> command;
  std::vector<std::string> args;  // for the image's entry point
  Spec spec;
  Spec master;  // distributed work: what differs for the master
  bool has_master = true;
  std::vector<std::string> master_lacks;  // lists of the workers' spec that are not the master's
  std::optional<IndexList> array;
  std::vector<Parameter> grid;
  std::int64_t throttle = 0;  // how many items run at once; 0: as many as fit

  // What `over` says wins; the rest stays.
  void Overlay(const Submission& over);
};

// Where it goes: the ids of the project in use.
struct Destination {
  std::string project_id;
  std::string cluster_id;
};

// One request. `title` says which item it is: "lr=0.1 bs=16", "[3]"; empty for a single one.
struct Draft {
  std::string name;
  std::string title;
  std::string body;  // JSON
};

// Whether it runs in a container: with an image of its own, or that of an asset.
bool NamesImage(const Spec& spec);

// How many requests it makes; 1 without array and grid.
std::size_t CountOf(const Submission& submission);

// A label the API takes as a name, made from what is run: "train.py" is "train".
std::string NameFor(const Submission& submission);

// Whether the API takes it as a name, and the nearest that it takes.
bool IsLabel(std::string_view text);
std::string LabelOf(std::string_view text);

// The first of "sweep", "sweep-2" … that is no name among `names` nor the beginning of an item's.
std::string FreeArrayName(const std::string& base, const std::vector<std::string>& names);

// Checks what belongs together; kInvalid says what to change.
Status Check(const Submission& submission);

// The requests. `array_id` is the identity that items of one array share.
Result<std::vector<Draft>> DraftsOf(const Submission& submission, const Destination& destination,
                                    const std::string& array_id);

// What to tell somebody of whose items only the first `sent` (at least one) were submitted: which
// they are, and how to go on.
std::string PartlySent(const Submission& submission, const std::vector<Draft>& drafts,
                       std::size_t sent);

}  // namespace yard::cli
