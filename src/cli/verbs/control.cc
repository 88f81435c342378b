// cancel, hold, release, suspend, resume, rerun, update, extend: orders to work that exists.
#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/submit/parse.h"
#include "cli/submit/resources.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/find.h"
#include "cli/work/orders.h"
#include "cli/work/replace.h"
#include "cli/work/running.h"
#include "cli/work/view.h"
#include "cli/work/watch.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

std::string Count(std::size_t workloads) {
  return fmt::format("{} workload{}", workloads, workloads == 1 ? "" : "s");
}

struct OrderArguments {
  std::vector<std::string> names;
  bool failed = false;
  bool keep_memory = false;
  bool others = false;
  std::string time;
  std::string priority;
  std::string gpu_limit;
};

// What waiting work is to ask for instead.
struct Wishes {
  std::string gpus;
  std::string gpu_part;
  std::string gpu_memory;
  std::string cpus;
  std::string memory;
  std::string pools;
  std::int64_t workers = 0;
  bool preemptible = false;
  bool any_node_type = false;
  bool as_training = false;
};

struct UpdateArguments : OrderArguments {
  Wishes wishes;
};

// One verb that does one thing to each workload it is given.
struct OrderVerb {
  const char* name;
  const char* summary;
  const char* done;  // "is held"
  const char* examples;
};

constexpr OrderVerb kOrders[] = {
    {"cancel", "End work and free what it holds; its record and log stay", "cancelled",
     "gpuyard cancel train\ngpuyard cancel 'sweep*'\ngpuyard cancel vision/train last\n"
     "gpuyard delete workload/train   (takes the record away, too)"},
    {"hold", "Keep waiting work from starting", "held", "gpuyard hold train"},
    {"release", "Let held work start", "released", "gpuyard release train"},
    {"suspend", "Stop work and keep it, to be resumed later", "suspended",
     "gpuyard suspend notebook\n"
     "gpuyard suspend train --keep-memory   (off its GPUs, and back with `gpuyard resume train`)"},
    {"resume", "Start suspended work again", "resumed", "gpuyard resume notebook"},
};

using Workloads = std::vector<json::value>;

// A name or a pattern may also mean a colleague's work: that takes a word more.
Outcome<Workloads> KeepOwn(Session& session, Workloads found, std::string_view verb) {
  YARD_ASSIGN(std::string me, WhoAmI(session));
  auto foreign = std::ranges::stable_partition(
      found, [&](const json::value& one) { return TextAt(one, "submittedBy") == me; });
  if (foreign.empty()) return found;
  const json::value& first = foreign.front();
  std::string hint = fmt::format("`gpuyard {} --others` includes work of others", verb);
  if (foreign.size() == found.size()) {
    return std::unexpected(Failure(
        {Code::kPrecondition,
         fmt::format("'{}' is the work of {}", TextAt(first, "name"), TextAt(first, "submittedBy")),
         std::move(hint)}));
  }
  session.Note(fmt::format("{} of others left out, '{}' of {} first", Count(foreign.size()),
                           TextAt(first, "name"), TextAt(first, "submittedBy")));
  session.Hint(hint);
  found.erase(foreign.begin(), foreign.end());
  return found;
}

constexpr std::size_t kListed = 20;  // a longer list is told as a number

void SayDone(Session& session, const Workloads& done, std::string_view word) {
  std::ostream& out = session.console().out;
  if (done.size() > kListed) {
    out << fmt::format("{} {}\n", Count(done.size()), word);
    return;
  }
  for (const json::value& one : done)
    out << fmt::format("workload/{} {}\n", TextAt(one, "name"), word);
}

void SayEnded(Session& session, const Workloads& ended) {
  if (ended.size() > kListed) {
    session.Note(fmt::format("{} had ended already", Count(ended.size())));
    return;
  }
  for (const json::value& one : ended) {
    session.Note(fmt::format("{} has ended already: {}", TextAt(one, "name"),
                             IsCancelled(one) ? "cancelled" : PhaseOf(one)));
  }
}

// Between the listing and the order.
void SayEndedMeanwhile(Session& session, Obedience& outcome) {
  constexpr int kPreconditionFailed = 412;
  std::size_t count = std::erase_if(outcome.refused, [&](const Obedience::Refusal& refusal) {
    return refusal.status == kPreconditionFailed;
  });
  if (count > 0) session.Note(fmt::format("{} ended meanwhile", Count(count)));
}

// The first refusals in full; exit 1, and everything else is done.
Outcome<void> SayRefused(Session& session, const std::vector<Obedience::Refusal>& refused) {
  if (refused.empty()) return {};
  for (std::size_t i = 1; i < std::min(refused.size(), kListed); ++i)
    session.Note(refused[i].message);
  if (refused.size() > kListed) {
    session.Note(fmt::format("… and {} more", refused.size() - kListed));
  }
  return std::unexpected(Failure({Code::kPrecondition, refused.front().message}));
}

// Everything is found before the first order is given: a slip in one name leaves all as they are.
Outcome<void> Apply(Session& session, const OrderVerb& order, const OrderArguments& arguments) {
  YARD_ASSIGN(Workloads found, FindEach(session, arguments.names, Existing::kLive));
  if (!arguments.others) {
    YARD_ASSIGN(found, KeepOwn(session, std::move(found), order.name));
  }
  auto split =
      std::ranges::stable_partition(found, [](const json::value& one) { return !HasEnded(one); });
  Workloads ended(split.begin(), split.end());
  found.erase(split.begin(), split.end());
  bool cancels = std::string_view(order.name) == "cancel";
  // Cancelling what has ended reaches its aim; no other order does.
  if (found.empty() && !cancels) {
    return std::unexpected(
        Failure({Code::kPrecondition,
                 fmt::format("'{}' has ended ({}) and cannot be {}", TextAt(ended.front(), "name"),
                             PhaseOf(ended.front()), order.done),
                 "`gpuyard rerun NAME` submits it again"}));
  }
  YARD_ASSIGN(Obedience outcome, Order(session, order.name, found));
  if (cancels) SayEndedMeanwhile(session, outcome);
  SayEnded(session, ended);
  SayDone(session, outcome.done, order.done);
  if (std::string_view(order.name) == "suspend" && !outcome.done.empty())
    session.Hint(kSuspendLoses);
  return SayRefused(session, outcome.refused);
}

Outcome<void> RerunAll(Session& session, const OrderArguments& arguments) {
  int count = 0;
  YARD_ASSIGN(auto found, FindEach(session, arguments.names, Existing::kEver));
  for (const json::value& workload : found) {
    if (arguments.failed && TextAt(workload, "phase") != "Failed") continue;
    YARD_ASSIGN(std::string fresh, Rerun(session, workload));
    session.console().out << fresh << '\n';
    ++count;
  }
  if (count == 0) session.Note("nothing of it has failed");
  return {};
}

// Says what was done to each of the named.
Outcome<void> ForEach(Session& session, const std::vector<std::string>& names, const char* done,
                      const std::function<Outcome<void>(const json::value&)>& act) {
  YARD_ASSIGN(auto found, FindEach(session, names, Existing::kLive));
  for (const json::value& workload : found) {
    YARD_TRY(act(workload));
    session.console().out << "workload/" << TextAt(workload, "name") << ' ' << done << '\n';
  }
  return {};
}

Outcome<void> ExtendAll(Session& session, const std::vector<std::string>& names,
                        std::string_view span) {
  YARD_ASSIGN(Micros more, ParseDuration(span));
  return ForEach(session, names, "extended",
                 [&](const json::value& workload) { return Extend(session, workload, more); });
}

Outcome<void> ParkAll(Session& session, const std::vector<std::string>& names) {
  YARD_TRY(ForEach(session, names, "leaves its GPUs; its memory is kept",
                   [&](const json::value& workload) { return Park(session, workload); }));
  session.Hint("`gpuyard resume NAME` brings it back to the same GPUs once these are free");
  return {};
}

// The changes of the spec that the wishes ask for; a time limit only if it does not add time.
Result<Replacement> ReplacementOf(const Wishes& wishes, std::string_view limit) {
  using Set = Status (*)(Spec&, std::string_view);
  const std::pair<const std::string&, Set> texts[] = {
      {wishes.gpus, SetGpus}, {wishes.gpu_part, SetGpuPart},   {wishes.gpu_memory, SetGpuMemory},
      {wishes.cpus, SetCpus}, {wishes.memory, SetSlurmMemory}, {wishes.pools, SetPools}};
  Replacement made{
      .changes = {}, .any_node_type = wishes.any_node_type, .as_training = wishes.as_training};
  for (const auto& [text, set] : texts) {
    if (!text.empty()) YARD_TRY(set(made.changes, text));
  }
  if (!limit.empty()) YARD_TRY(SetTimeLimit(made.changes, limit));
  if (wishes.workers > 0) made.changes.Set("numWorkers", wishes.workers);
  if (wishes.preemptible) made.changes.Set("preemptibility", "preemptible");
  return made;
}

Outcome<void> ReplaceAll(Session& session, const std::vector<std::string>& names,
                         const Replacement& replacement) {
  YARD_ASSIGN(auto found, FindEach(session, names, Existing::kLive));
  for (const json::value& workload : found) {
    YARD_ASSIGN(std::string fresh, Replace(session, workload, replacement));
    session.console().out << "workload/" << fresh << " takes the place of "
                          << TextAt(workload, "name") << '\n';
  }
  return {};
}

Outcome<void> Update(Session& session, const UpdateArguments& arguments) {
  std::string_view span = arguments.time;
  const bool adds = span.starts_with('+');
  YARD_ASSIGN(Replacement replacement,
              ReplacementOf(arguments.wishes, adds ? std::string_view{} : span));
  const bool replaces =
      !replacement.changes.empty() || replacement.any_node_type || replacement.as_training;
  if (!replaces && span.empty() && arguments.priority.empty() && arguments.gpu_limit.empty())
    return std::unexpected(Failure(
        {Code::kInvalid, "what is to change?",
         "give --time +2h, --priority CLASS, --gpu-limit 0.8, or what work that waits is to "
         "ask for instead: --gpu 2, --cpu 4, --mem 16G, --pool NAME"}));
  if (adds) YARD_TRY(ExtendAll(session, arguments.names, span.substr(1)));
  if (!arguments.gpu_limit.empty())
    YARD_TRY(ForEach(session, arguments.names, "has another limit of GPU memory",
                     [&](const json::value& workload) {
                       return LimitGpu(session, workload, arguments.gpu_limit);
                     }));
  if (replaces) {
    if (!arguments.priority.empty()) replacement.changes.Set("priorityClass", arguments.priority);
    return ReplaceAll(session, arguments.names, replacement);
  }
  if (arguments.priority.empty()) return {};
  return ForEach(session, arguments.names, "has another priority",
                 [&](const json::value& workload) {
                   return Prioritize(session, workload, arguments.priority);
                 });
}

// "extend train 2h": the last word is the time.
Outcome<void> ExtendWords(Session& session, std::vector<std::string> words) {
  if (words.size() < 2)
    return std::unexpected(
        Failure({Code::kInvalid, "how much longer?", "for example `gpuyard extend train 2h`"}));
  std::string span = words.back();
  words.pop_back();
  return ExtendAll(session, words, std::string_view(span).substr(span.starts_with('+') ? 1 : 0));
}

void AddUpdate(const Verb& root, Session& session) {
  auto update = std::make_shared<UpdateArguments>();
  Wishes& wishes = update->wishes;
  Verb verb = root.Add("update", "Change work while it waits or runs");
  verb.NeedsWords("NAME", update->names, "workloads")
      .Text("-t,--time", update->time, "let it run longer: +2h; while it waits, its limit: 2h",
            "SPAN")
      .Text("--priority", update->priority, "its priority class: low, train, high …", "CLASS")
      .Text("--gpu-limit", update->gpu_limit,
            "what its part of a GPU may grow to while there is room: 0.8 or 20G", "LIMIT")
      .Text("-g,--gpu", wishes.gpus, "while it waits: how many GPUs, or which part of one", "N")
      .Text("--gpu-part", wishes.gpu_part, "while it waits: the part of each GPU", "PART")
      .Text("--gpu-memory", wishes.gpu_memory, "while it waits: GPU memory instead", "SIZE")
      .Text("-c,--cpu", wishes.cpus, "while it waits: CPU cores", "N")
      .Text("--mem", wishes.memory, "while it waits: memory", "SIZE")
      .Text("--pool", wishes.pools, "while it waits: node pools, best first", "NAMES")
      .Number("--workers", wishes.workers, "while it waits: workers of distributed work")
      .Flag("--preemptible", wishes.preemptible, "while it waits: others may take its place")
      .Flag("--any-node-type", wishes.any_node_type, "while it waits: on nodes of any type")
      .Flag("--training", wishes.as_training, "while it waits: as training, not interactive")
      .Examples(
          "gpuyard update train --time +2h\ngpuyard update train --priority medium-high\n"
          "gpuyard update train --gpu-limit 0.8\n"
          "gpuyard update train --gpu 2   (it waits: submitted again, the old one is cancelled)");
  verb.Run([update, &session] { return Update(session, *update); });
}

}  // namespace

void AddOrders(CLI::App& app, Session& session) {
  Verb root(app, session);
  for (const OrderVerb& order : kOrders) {
    auto arguments = std::make_shared<OrderArguments>();
    Verb verb = root.Add(order.name, order.summary);
    std::string_view name = order.name;
    if (name == "cancel") verb.Alias("scancel");
    verb.NeedsWords("NAME", arguments->names, "workloads; 'sweep*' is all of these names")
        .Flag("--others", arguments->others, "also work that somebody else submitted")
        .Examples(order.examples);
    if (name == "suspend")
      verb.Flag("--keep-memory", arguments->keep_memory,
                "keep its processes, and its GPU memory in host memory, until it is resumed");
    verb.Run([arguments, &order, &session] {
      if (arguments->keep_memory) return ParkAll(session, arguments->names);
      return Apply(session, order, *arguments);
    });
  }
  auto rerun = std::make_shared<OrderArguments>();
  Verb verb = root.Add("rerun", "Submit the same again, as new work");
  verb.NeedsWords("NAME", rerun->names, "workloads, or the name of an array")
      .Flag("--failed", rerun->failed, "only those that failed")
      .Examples("gpuyard rerun train\ngpuyard rerun --failed sweep");
  verb.Run([rerun, &session] { return RerunAll(session, *rerun); });
  AddUpdate(root, session);
  auto extend = std::make_shared<OrderArguments>();
  verb = root.Add("extend", "Let work run longer than its time limit");
  verb.NeedsWords("NAME", extend->names, "workloads, then how much longer")
      .Examples("gpuyard extend train 2h");
  verb.Run([extend, &session] { return ExtendWords(session, extend->names); });
}

}  // namespace yard::cli
