#include "cli/submit/submission.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/submit/words.h"

namespace yard::cli {
namespace {

constexpr std::size_t kNameMax = 40;
constexpr std::size_t kLongestLabel = 63;

// What distinguishes one item of an array or grid.
struct Variation {
  std::string title;
  std::optional<std::int64_t> index;  // of the array
  std::vector<std::pair<std::string, std::string>> parameters;
};

bool IsVaried(const Submission& submission) {
  return submission.array || !submission.grid.empty();
}

// Every combination of the grid, the last parameter changing fastest.
std::vector<Variation> VariationsOf(const Submission& submission) {
  std::vector<Variation> all(1);
  for (const Parameter& parameter : submission.grid) {
    std::vector<Variation> next;
    for (const Variation& base : all) {
      for (const std::string& value : parameter.values) {
        Variation one = base;
        one.title += fmt::format("{}{}={}", one.title.empty() ? "" : " ", parameter.name, value);
        one.parameters.emplace_back(parameter.name, value);
        next.push_back(std::move(one));
      }
    }
    all = std::move(next);
  }
  if (!submission.array) return all;
  for (std::int64_t index : submission.array->indices)
    all.push_back({.title = fmt::format("[{}]", index), .index = index, .parameters = {}});
  all.erase(all.begin());
  return all;
}

// The name in "{name}" at `at`; empty if it is none. "${name}" is the shell's.
std::string_view HoleAt(std::string_view text, std::size_t at) {
  std::size_t end = text.find('}', at);
  if (end == text.npos || (at > 0 && text[at - 1] == '$')) return {};
  std::string_view name = text.substr(at + 1, end - at - 1);
  auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  bool fine =
      !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::ranges::all_of(name, plain);
  return fine ? name : std::string_view{};
}

// A value is not read again: "{bs}" in the value of lr stays as it is.
std::string FilledWord(std::string_view word, const Variation& variation) {
  std::string filled;
  for (std::size_t at = 0; at < word.size();) {
    std::string_view name = word[at] == '{' ? HoleAt(word, at) : std::string_view{};
    auto known = std::ranges::find_if(variation.parameters,
                                      [&](const auto& one) { return one.first == name; });
    bool hole = !name.empty() && known != variation.parameters.end();
    filled += hole ? std::string_view(known->second) : word.substr(at, 1);
    at += hole ? name.size() + 2 : 1;
  }
  return filled;
}

// "{lr}" in the words of a command is the value of the parameter lr.
std::vector<std::string> Filled(std::vector<std::string> words, const Variation& variation) {
  for (std::string& word : words) word = FilledWord(word, variation);
  return words;
}

// A slip in "{lr}" would run every combination with the same wrong words.
Status CheckHoles(const Submission& submission) {
  if (submission.grid.empty()) return {};
  std::vector<std::string> known;
  known.reserve(submission.grid.size());
  for (const Parameter& parameter : submission.grid)
    known.push_back(fmt::format("{{{}}}", parameter.name));
  std::vector<std::string> words = submission.command;
  words.insert(words.end(), submission.args.begin(), submission.args.end());
  for (const std::string& word : words) {
    for (std::size_t at = word.find('{'); at != word.npos; at = word.find('{', at + 1)) {
      std::string_view name = HoleAt(word, at);
      std::string hole = fmt::format("{{{}}}", name);
      if (name.empty() || std::ranges::find(known, hole) != known.end()) continue;
      return Fail(Code::kInvalid, fmt::format("'{}' is not a parameter", hole),
                  fmt::format("known are {}; write '{{ {} }}' with blanks if it is meant as it is",
                              fmt::join(known, ", "), name));
    }
  }
  return {};
}

struct Numbering {
  std::string array_id;
  std::size_t index = 0;
  std::size_t size = 1;
};

void SetArray(Spec& spec, const Submission& submission, const Variation& variation,
              const Numbering& numbering) {
  auto index = static_cast<std::int64_t>(numbering.index);
  spec.Set("array.id", numbering.array_id);
  spec.Set("array.index", variation.index.value_or(index));
  spec.Set("array.size", static_cast<std::int64_t>(numbering.size));
  std::int64_t throttle = submission.throttle;
  if (submission.array && submission.array->throttle > 0) throttle = submission.array->throttle;
  if (throttle > 0) spec.Set("array.throttle", throttle);
  for (const auto& [name, value] : variation.parameters) spec.SetVariable("PARAM_" + name, value);
  spec.SetVariable("GPUYARD_ARRAY_INDEX", std::to_string(variation.index.value_or(index)));
  if (!submission.array) return;
  spec.SetVariable("SLURM_ARRAY_TASK_ID", std::to_string(*variation.index));
  spec.SetVariable("SLURM_ARRAY_TASK_COUNT", std::to_string(numbering.size));
  spec.SetVariable("SLURM_ARRAY_TASK_MIN", std::to_string(submission.array->indices.front()));
  spec.SetVariable("SLURM_ARRAY_TASK_MAX", std::to_string(submission.array->indices.back()));
}

// Distributed work says how its master differs, or that it does not.
void SetMaster(json::object& body, const Submission& submission, const Spec& spec) {
  if (submission.kind != WorkKind::kDistributed) return;
  bool same = submission.master.empty() && submission.master_lacks.empty();
  body["masterSpecSameAsWorker"] = submission.has_master && same;
  if (same || !submission.has_master) return;
  Spec master = spec;
  for (const std::string& path : submission.master_lacks) master.DropList(path);
  master.Overlay(submission.master);
  json::object fields = master.ToJson();
  for (const char* worker_only : {"numWorkers", "distributedFramework", "slotsPerWorker",
                                  "minReplicas", "maxReplicas", "cleanPodPolicy"})
    fields.erase(worker_only);
  body["masterSpec"] = std::move(fields);
}

Draft DraftOf(const Submission& submission, const Destination& destination,
              const Variation& variation, const Numbering& numbering) {
  Spec spec = submission.spec;
  Draft draft{.name = NameFor(submission), .title = variation.title, .body = {}};
  if (IsVaried(submission)) {
    std::string suffix = std::to_string(variation.index.value_or(numbering.index));
    draft.name = draft.name.substr(0, kNameMax - 1 - suffix.size()) + "-" + suffix;
    SetArray(spec, submission, variation, numbering);
  }
  if (!submission.command.empty())
    spec.Set("command", JoinWords(Filled(submission.command, variation)));
  if (!submission.args.empty()) spec.Set("args", JoinWords(Filled(submission.args, variation)));
  json::object body{{"name", draft.name},
                    {"projectId", destination.project_id},
                    {"clusterId", destination.cluster_id}};
  if (submission.naming == Naming::kPrefix) body["useGivenNameAsPrefix"] = true;
  // Items of an array are numbered already; the array's own name was made free.
  if (submission.naming == Naming::kNumber && !IsVaried(submission))
    body["numberNameIfTaken"] = true;
  SetMaster(body, submission, spec);
  body["spec"] = spec.ToJson();
  draft.body = json::serialize(body);
  return draft;
}

// What a command is about: the script of an interpreter, else the program.
std::string_view SubjectOf(const std::vector<std::string>& command) {
  constexpr std::string_view kInterpreters[] = {"python",   "python3",    "bash",    "sh",   "env",
                                                "torchrun", "accelerate", "Rscript", "julia"};
  std::string_view subject;
  for (const std::string& word : command) {
    if (word.starts_with('-')) continue;
    std::string_view first = std::string_view(word).substr(0, word.find_first_of(" \t\n;"));
    std::string_view base = first.substr(first.rfind('/') + 1);
    subject = base;
    if (std::ranges::find(kInterpreters, base) == std::end(kInterpreters)) break;
  }
  return subject.substr(0, subject.rfind('.') == 0 ? subject.size() : subject.rfind('.'));
}

}  // namespace

std::string_view Name(WorkKind kind) {
  switch (kind) {
    case WorkKind::kTraining:
      return "Training";
    case WorkKind::kWorkspace:
      return "Workspace";
    case WorkKind::kDistributed:
      return "Distributed";
    case WorkKind::kInference:
      return "Inference";
  }
  return "Training";
}

std::string_view SegmentOfKind(WorkKind kind) {
  switch (kind) {
    case WorkKind::kTraining:
      return "trainings";
    case WorkKind::kWorkspace:
      return "workspaces";
    case WorkKind::kDistributed:
      return "distributed";
    case WorkKind::kInference:
      return "inferences";
  }
  return "trainings";
}

void Submission::Overlay(const Submission& over) {
  if (over.kind != WorkKind::kTraining) kind = over.kind;
  if (!over.name.empty()) name = over.name;
  if (over.naming != Naming::kExact) naming = over.naming;
  if (!over.project.empty()) project = over.project;
  if (!over.command.empty()) command = over.command;
  if (!over.args.empty()) args = over.args;
  if (over.array) array = over.array;
  if (!over.grid.empty()) grid = over.grid;
  if (!over.has_master) has_master = false;
  if (!over.master_lacks.empty()) master_lacks = over.master_lacks;
  if (over.throttle > 0) throttle = over.throttle;
  spec.Overlay(over.spec);
  master.Overlay(over.master);
}

std::string LabelOf(std::string_view text) {
  std::string label;
  for (char c : Lower(text)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain) label += c;
    if (!plain && !label.empty() && label.back() != '-') label += '-';
  }
  if (!label.empty() && label[0] <= '9') label.insert(0, "job-");
  label = label.substr(0, kNameMax);
  while (label.ends_with('-')) label.pop_back();
  return label;
}

bool IsLabel(std::string_view text) {
  auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  bool ends = !text.empty() && text.front() >= 'a' && text.front() <= 'z' && text.back() != '-';
  return ends && text.size() <= kLongestLabel && std::ranges::all_of(text, plain);
}

std::string FreeArrayName(const std::string& base, const std::vector<std::string>& names) {
  auto is_item = [](std::string_view name, std::string_view array) {
    if (!name.starts_with(array) || name.size() <= array.size() + 1) return false;
    std::string_view rest = name.substr(array.size());
    return rest[0] == '-' && rest.find_first_not_of("0123456789", 1) == rest.npos;
  };
  for (int number = 1;; ++number) {
    std::string candidate = number == 1 ? base : fmt::format("{}-{}", base, number);
    bool taken = std::ranges::any_of(names, [&](const std::string& name) {
      return name == candidate || is_item(name, candidate);
    });
    if (!taken) return candidate;
  }
}

bool NamesImage(const Spec& spec) {
  for (const char* path : {"image", "assets.template", "assets.environment"}) {
    if (!spec.Text(path).empty()) return true;
  }
  return false;
}

std::size_t CountOf(const Submission& submission) {
  if (submission.array) return submission.array->indices.size();
  std::size_t count = 1;
  for (const Parameter& parameter : submission.grid) count *= parameter.values.size();
  return count;
}

std::string NameFor(const Submission& submission) {
  if (!submission.name.empty()) return submission.name;
  std::string label = LabelOf(SubjectOf(submission.command));
  if (label.empty()) label = LabelOf(SubjectOf(submission.args));
  if (!label.empty()) return label;
  return submission.kind == WorkKind::kWorkspace ? "workspace" : "job";
}

Status Check(const Submission& submission) {
  constexpr std::size_t kMost = 100'000;
  YARD_TRY(CheckHoles(submission));
  if (submission.array && !submission.grid.empty())
    return Fail(Code::kInvalid, "an array has no parameters, and a grid no indices",
                "give --array or --param, not both");
  if (CountOf(submission) > kMost)
    return Fail(Code::kInvalid, fmt::format("{} items are too many", CountOf(submission)),
                "at most 100000 in one submission");
  bool image = NamesImage(submission.spec);
  if (!image && !submission.args.empty() && submission.command.empty())
    return Fail(Code::kInvalid, "arguments alone need an image whose entry point takes them",
                "name one with --image, or give a command");
  if (!image && submission.command.empty() && submission.kind != WorkKind::kWorkspace)
    return Fail(Code::kInvalid, "there is nothing to run", "give a command, a script or --image");
  return {};
}

Result<std::vector<Draft>> DraftsOf(const Submission& submission, const Destination& destination,
                                    const std::string& array_id) {
  YARD_TRY(Check(submission));
  std::vector<Variation> variations = VariationsOf(submission);
  std::vector<Draft> drafts;
  Numbering numbering{array_id, 0, variations.size()};
  for (const Variation& variation : variations) {
    drafts.push_back(DraftOf(submission, destination, variation, numbering));
    ++numbering.index;
  }
  return drafts;
}

std::string PartlySent(const Submission& submission, const std::vector<Draft>& drafts,
                       std::size_t sent) {
  std::string name = NameFor(submission);
  std::string which = drafts.front().name;
  if (sent > 1) which += " to " + drafts[sent - 1].name;
  std::string rest = fmt::format("{} and what follows", drafts[sent].title);
  if (submission.array) {
    IndexList left = *submission.array;
    left.indices.erase(left.indices.begin(),
                       left.indices.begin() + static_cast<std::ptrdiff_t>(sent));
    rest = fmt::format("the same command with --array {} submits it", FormatIndices(left));
  }
  return fmt::format(
      "{} of {} items were submitted and stay: {}\n  the rest was not: {}\n"
      "  `gpuyard cancel {}` takes back what was submitted",
      sent, drafts.size(), which, rest, name);
}

}  // namespace yard::cli
