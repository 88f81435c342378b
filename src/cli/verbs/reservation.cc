// reservation: GPUs kept for a project's work, for a deadline.
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/quantity.h"
#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/resolver.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

struct ReservationArguments {
  std::string name;
  std::string project;
  std::string gpus;
  std::string pool;
  std::string from = "now";
  std::string to;
  std::string span;
  std::string release;
};

// "now", "+2h" or 2026-11-15T18:00:00Z.
Result<Time> ReadTime(const std::string& text, Time now) {
  if (text == "now") return now;
  if (text.starts_with('+')) {
    YARD_ASSIGN(Micros span, ParseDuration(text.substr(1)));
    return now + span;
  }
  if (std::optional<Time> at = ParseRfc3339(text)) return *at;
  return Fail(Code::kInvalid, fmt::format("'{}' is not a time", text),
              "write it like 2026-11-15T18:00:00Z, or +2h for two hours from now");
}

Result<Time> EndOf(const ReservationArguments& arguments, Time start, Time now) {
  if (arguments.to.empty() == arguments.span.empty()) {
    return Fail(Code::kInvalid, "when does it end?", "say either --to TIME or --for SPAN");
  }
  if (!arguments.to.empty()) return ReadTime(arguments.to, now);
  YARD_ASSIGN(Micros span, ParseDuration(arguments.span));
  return start + span;
}

Result<json::object> WindowOf(const ReservationArguments& arguments, Time now) {
  YARD_ASSIGN(Time start, ReadTime(arguments.from, now));
  YARD_ASSIGN(Time end, EndOf(arguments, start, now));
  std::optional<std::int64_t> gpus = ParseMilli(arguments.gpus);
  if (!gpus || *gpus <= 0) {
    return Fail(Code::kInvalid, fmt::format("'{}' is not a number of GPUs", arguments.gpus),
                "for example --gpu 4");
  }
  json::object body{{"name", arguments.name},
                    {"gpu", static_cast<double>(*gpus) / 1000},
                    {"start", FormatRfc3339(start)},
                    {"end", FormatRfc3339(end)}};
  if (!arguments.pool.empty()) body["nodePool"] = arguments.pool;
  if (arguments.release.empty()) return body;
  YARD_ASSIGN(Micros release, ParseDuration(arguments.release));
  body["releaseAfterMinutes"] = (release.value + Minutes(1).value - 1) / Minutes(1).value;
  return body;
}

Outcome<void> Create(Session& session, const ReservationArguments& arguments) {
  YARD_ASSIGN(json::object body, WindowOf(arguments, session.around().clock.Now()));
  std::string project = arguments.project;
  if (project.empty()) {
    YARD_ASSIGN(Profile * profile, session.profile());
    project = profile->project;
  }
  if (project.empty()) {
    return std::unexpected(Failure({Code::kInvalid, "for which project?", "say -p PROJECT"}));
  }
  YARD_ASSIGN(client::Client * server, session.Server());
  Resolver resolver(*server);
  YARD_ASSIGN(std::string id, resolver.Id("projects", project));
  body["projectId"] = id;
  YARD_ASSIGN(json::value made, server->SendForJson({.method = client::Method::kPost,
                                                     .path = "/api/v1/reservations",
                                                     .body = json::serialize(body),
                                                     .idempotency_key = session.NewKey()}));
  if (session.format() == Format::kTable) {
    session.console().out << "reservation/" << arguments.name << " created\n";
    return {};
  }
  PrintObjects(session.console(), **FindKind("reservations"), session.format(),
               std::span<const json::value>(&made, 1), Shape::kOne);
  return {};
}

Outcome<void> List(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind("reservations");
  YARD_ASSIGN(std::vector<json::value> found, ListObjects(*server, kind, {}));
  if (found.empty()) session.Hint("nothing is reserved");
  PrintObjects(session.console(), kind, session.format(), found, Shape::kMany);
  return {};
}

Outcome<void> Delete(Session& session, const std::vector<std::string>& names) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind("reservations");
  for (const std::string& name : names) {
    YARD_ASSIGN(json::value found, FindObject(*server, kind, name));
    YARD_TRY(server->Send({.method = client::Method::kDelete, .path = DeletePath(kind, found)}));
    session.console().out << "reservation/" << name << " deleted\n";
  }
  return {};
}

void AddCreate(const Verb& root) {
  auto arguments = std::make_shared<ReservationArguments>();
  Verb verb = root.Add("create", "Keep GPUs for a project during a window");
  verb.NeedsWord("NAME", arguments->name, "what to call it")
      .Text("-p,--project", arguments->project, "for the work of this project", "NAME")
      .Text("-g,--gpu", arguments->gpus, "how many GPUs", "N")
      .Text("--pool", arguments->pool, "of this node pool [the project's first]", "NAME")
      .Text("--from", arguments->from, "begin: now, +2h or 2026-11-15T18:00:00Z [now]", "TIME")
      .Text("--to", arguments->to, "end, written like the begin", "TIME")
      .Text("--for", arguments->span, "instead of --to: how long", "SPAN")
      .Text("--release-after", arguments->release,
            "give back what has not been used for so long [never]", "SPAN")
      .Format()
      .Examples(
          "gpuyard reservation create icml -p vision --gpu 8 --from 2027-01-20T08:00:00Z --for 3d\n"
          "gpuyard reservation create demo -p vision --gpu 2 --from +1h --for 2h "
          "--release-after 30m");
  Session* session = &root.session();
  verb.Run([arguments, session] { return Create(*session, *arguments); });
}

}  // namespace

void AddReservation(CLI::App& app, Session& session) {
  Verb root = Verb(app, session).Add("reservation", "GPUs kept for a project, for a deadline");
  root.Alias("reservations")
      .NeedsVerb()
      .Examples(
          "gpuyard reservation create icml -p vision --gpu 8 --from 2027-01-20T08:00:00Z --for 3d\n"
          "gpuyard reservation list\n"
          "gpuyard reservation delete icml");
  AddCreate(root);
  Verb verb = root.Add("list", "What is reserved, for whom and when");
  verb.Alias("ls").Format().Examples("gpuyard reservation list -o wide");
  verb.Run([&session] { return List(session); });
  auto names = std::make_shared<std::vector<std::string>>();
  verb = root.Add("delete", "Give reservations up");
  verb.NeedsWords("NAME", *names, "names or ids").Examples("gpuyard reservation delete icml");
  verb.Run([names, &session] { return Delete(session, *names); });
}

}  // namespace yard::cli
