// show: everything about one workload, or about the items of an array.
#include <memory>
#include <ostream>
#include <string>

#include <boost/json/value.hpp>

#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/story.h"
#include "cli/work/view.h"

namespace yard::cli {
namespace {

using client::Outcome;

json::array ListAt(const json::value& answer, std::string_view key) {
  const json::value& list = At(answer, key);
  return list.is_array() ? list.get_array() : json::array();
}

Outcome<void> ShowOne(Session& session, json::value workload) {
  YARD_ASSIGN(client::Client * server, session.Server());
  Outcome<json::array> attempts = AttemptsOf(session, TextAt(workload, "id"));
  if (!attempts && attempts.error().status != 404) return std::unexpected(attempts.error());
  YARD_ASSIGN(json::value events, server->Get(PathOf(workload, "/events"), {{"limit", "50"}}));
  json::value submitted = server->Get(KindPathOf(workload, "")).value_or(json::value());
  json::array list = ListAt(events, "events");
  json::array tries = attempts.value_or(json::array());
  Format format = session.format();
  if (format == Format::kTable || format == Format::kWide) {
    const json::value& spec = At(submitted, "spec");
    session.console().out << RenderStory({&workload, &spec, &tries, &list}, session.console().width,
                                         session.around().clock.Now());
    return {};
  }
  if (format == Format::kJson || format == Format::kYaml) {
    workload.as_object()["spec"] = At(submitted, "spec");
    workload.as_object()["attempts"] = std::move(tries);
    workload.as_object()["events"] = std::move(list);
  }
  PrintObjects(session.console(), **FindKind("workloads"), format, {&workload, 1}, Shape::kOne);
  return {};
}

Outcome<void> Show(Session& session, const std::string& name) {
  YARD_ASSIGN(Several found, FindSeveral(session, name, Existing::kEver));
  if (found.items.size() == 1) return ShowOne(session, found.items.front());
  bool people = session.format() == Format::kTable || session.format() == Format::kWide;
  if (people) session.console().out << SummaryOf(found) << "\n\n";
  Table table =
      people ? MemberTable(found.items, session.around().clock.Now()) : WorkRecords(found.items);
  YARD_TRY(PrintTable(session, found.items, table));
  session.Hint("`gpuyard show " + TextAt(found.items.front(), "name") + "` shows one of them");
  return {};
}

}  // namespace

void AddShow(CLI::App& app, Session& session) {
  auto name = std::make_shared<std::string>();
  Verb verb = Verb(app, session).Add("show", "Everything about one workload");
  verb.Alias("describe")
      .NeedsWord("NAME", *name, "name, project/name, id, a part of one, or an array's name")
      .Format()
      .Examples("gpuyard show train\ngpuyard show vision/train -o yaml\ngpuyard show sweep");
  verb.Run([name, &session] { return Show(session, *name); });
}

}  // namespace yard::cli
