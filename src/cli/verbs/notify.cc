// notify: who is told of what, by which way, and how that went.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr const char* kRules = "/api/v1/notifications/rules";

// An event as the API calls it, and what else people may say.
struct EventWord {
  std::string_view name;
  std::string_view others;  // separated by spaces
};
constexpr EventWord kEvents[] = {
    {"Running", "start started begin"},
    {"Completed", "complete done end"},
    {"Failed", "fail failure end"},
    {"Preempted", "preempt"},
    {"EndedByOther", "stopped cancel cancelled"},
    {"IdleWarning", "idle"},
    {"TimeLimitNear", "time-limit timelimit"},
    {"WaitingLong", "wait waiting long"},
};

struct NotifyArguments {
  std::string name;
  std::string project;
  std::vector<std::string> on;
  std::string mail;
  std::string slack;
  std::string webhook;
  std::string secret_file;
  std::string waiting;
  std::string left;
  bool off = false;
  std::int64_t limit = 20;
};

bool Means(const EventWord& event, std::string_view word) {
  if (EqualsIgnoreCase(word, event.name) || EqualsIgnoreCase(word, "all")) return true;
  std::vector<std::string_view> others = Split(event.others, ' ');
  return std::ranges::any_of(others,
                             [&](std::string_view other) { return EqualsIgnoreCase(word, other); });
}

Result<json::array> ReadEvents(const std::vector<std::string>& texts) {
  json::array events;
  auto add = [&](std::string_view word) {
    bool known = false;
    for (const EventWord& event : kEvents) {
      if (!Means(event, word)) continue;
      known = true;
      json::value name(event.name);
      if (std::ranges::find(events, name) == events.end()) events.push_back(name);
    }
    return known;
  };
  for (const std::string& text : texts) {
    for (std::string_view word : Split(text, ',')) {
      if (add(Trim(word))) continue;
      return Fail(Code::kInvalid, fmt::format("--on: there is no event '{}'", word),
                  "started, completed, failed, preempted, idle, time-limit, waiting, end or all");
    }
  }
  if (events.empty()) return ReadEvents({"completed,failed"});
  return events;
}

std::string NewSecret(Session& session) {
  std::array<std::uint8_t, 32> bytes{};
  session.around().random.Fill(bytes);
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

Result<std::string> ReadSecret(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Fail(Code::kInvalid, fmt::format("--secret-file: cannot read {}", path));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return std::string(Trim(text));
}

// The way and the target; exactly one of the three.
Result<void> TakeChannel(const NotifyArguments& arguments, json::object& body) {
  int named = 0;
  auto take = [&](const char* channel, const std::string& target) {
    if (target.empty()) return;
    ++named;
    body["channel"] = channel;
    body["target"] = target;
  };
  take("email", arguments.mail);
  take("slack", arguments.slack);
  take("webhook", arguments.webhook);
  if (named == 1) return {};
  return Fail(Code::kInvalid, "say where the messages go, once",
              "--mail ADDRESS, --slack URL or --webhook URL");
}

Outcome<void> Add(Session& session, const NotifyArguments& arguments) {
  json::object body{{"name", arguments.name}, {"enabled", !arguments.off}};
  YARD_TRY(TakeChannel(arguments, body));
  YARD_ASSIGN(body["events"], ReadEvents(arguments.on));
  auto seconds = [&](const char* field, const std::string& text) -> Result<void> {
    if (text.empty()) return {};
    YARD_ASSIGN(Micros span, ParseDuration(text));
    body[field] = span.value / 1'000'000;
    return {};
  };
  YARD_TRY(seconds("waitingSeconds", arguments.waiting));
  YARD_TRY(seconds("leftSeconds", arguments.left));
  std::string made;
  if (!arguments.secret_file.empty()) {
    YARD_ASSIGN(body["secret"], ReadSecret(arguments.secret_file));
  } else if (!arguments.webhook.empty()) {
    made = NewSecret(session);
    body["secret"] = made;
  }
  YARD_ASSIGN(client::Client * server, session.Server());
  if (!arguments.project.empty()) {
    YARD_ASSIGN(json::value project,
                FindObject(*server, **FindKind("projects"), arguments.project));
    body["projectId"] = TextAt(project, "id");
  }
  YARD_ASSIGN(json::value rule, server->SendForJson({.method = client::Method::kPost,
                                                     .path = kRules,
                                                     .body = json::serialize(body),
                                                     .idempotency_key = session.NewKey()}));
  session.console().out << TextAt(rule, "id") << '\n';
  if (!made.empty()) {
    session.Note(fmt::format("signed with this key, which is not shown again: {}", made));
  }
  session.Hint(fmt::format("`gpuyard notify test {}` sends a message now", arguments.name));
  return {};
}

// The rule of that name or id.
Outcome<json::value> FindRule(client::Client& server, const std::string& name) {
  YARD_ASSIGN(json::value rules, server.Get(kRules));
  std::vector<json::value> found;
  for (const json::value& rule : rules.as_array()) {
    if (TextAt(rule, "id") == name) return rule;
    if (TextAt(rule, "name") == name) found.push_back(rule);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return std::unexpected(Failure({Code::kNotFound, fmt::format("you have no rule '{}'", name),
                                    "`gpuyard notify list` shows them"}));
  }
  return std::unexpected(
      Failure({Code::kConflict, fmt::format("{} rules are called '{}'", found.size(), name),
               "give its id: `gpuyard notify list -o json`"}));
}

std::string EventsText(const json::value& rule) {
  std::vector<std::string> names;
  for (const json::value& event : At(rule, "events").as_array()) {
    names.emplace_back(event.as_string());
  }
  return Join(names, ",");
}

Outcome<void> List(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value rules, server->Get(kRules));
  std::vector<json::value> objects(rules.as_array().begin(), rules.as_array().end());
  Table table{.header = {"NAME", "FOR", "CHANNEL", "TARGET", "EVENTS", "ENABLED"}};
  for (const json::value& rule : objects) {
    std::string project = TextAt(rule, "projectName");
    table.rows.push_back({TextAt(rule, "name"), project.empty() ? "my work" : "project " + project,
                          TextAt(rule, "channel"), TextAt(rule, "target"), EventsText(rule),
                          At(rule, "enabled").as_bool() ? "yes" : "no"});
  }
  return PrintTable(session, objects, table);
}

Outcome<void> Remove(Session& session, const std::string& name) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value rule, FindRule(*server, name));
  YARD_TRY(server->Send({.method = client::Method::kDelete,
                         .path = fmt::format("{}/{}", kRules, TextAt(rule, "id"))}));
  session.Note(fmt::format("the rule {} is deleted", TextAt(rule, "name")));
  return {};
}

Outcome<void> Test(Session& session, const std::string& name) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value rule, FindRule(*server, name));
  YARD_ASSIGN(json::value delivery,
              server->SendForJson({.method = client::Method::kPost,
                                   .path = fmt::format("{}/{}/test", kRules, TextAt(rule, "id"))}));
  if (TextAt(delivery, "outcome") == "Sent") {
    session.Note(fmt::format("{} took the message", TextAt(rule, "target")));
    return {};
  }
  return std::unexpected(
      Failure({Code::kUnavailable,
               fmt::format("{} did not take the message: {}", TextAt(rule, "target"),
                           TextAt(delivery, "lastError")),
               "see docs/notifications.md"}));
}

Outcome<void> Log(Session& session, const NotifyArguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  std::vector<std::pair<std::string, std::string>> query{
      {"limit", std::to_string(arguments.limit)}};
  if (!arguments.name.empty()) {
    YARD_ASSIGN(json::value rule, FindRule(*server, arguments.name));
    query.emplace_back("ruleId", TextAt(rule, "id"));
  }
  YARD_ASSIGN(json::value deliveries, server->Get("/api/v1/notifications/deliveries", query));
  std::vector<json::value> objects(deliveries.as_array().begin(), deliveries.as_array().end());
  Table table{.header = {"AT", "RULE", "EVENT", "WORKLOAD", "OUTCOME", "TRIES", "LAST ERROR"}};
  for (const json::value& one : objects) {
    table.rows.push_back({TextAt(one, "at"), TextAt(one, "ruleName"), TextAt(one, "event"),
                          TextAt(one, "workloadName"), TextAt(one, "outcome"), TextAt(one, "tries"),
                          TextAt(one, "lastError")});
  }
  return PrintTable(session, objects, table);
}

void AddAdd(const Verb& notify, Session& session) {
  auto arguments = std::make_shared<NotifyArguments>();
  Verb add = notify.Add("add", "Make a rule: what to be told, and where");
  add.NeedsWord("NAME", arguments->name, "what to call it")
      .Texts("--on", arguments->on,
             "started, completed, failed, preempted, idle, time-limit, waiting, end or all "
             "[completed,failed]",
             "EVENTS")
      .Text("--mail", arguments->mail, "send mails there", "ADDRESS")
      .Text("--slack", arguments->slack, "an incoming webhook of Slack", "URL")
      .Text("--webhook", arguments->webhook, "post signed JSON there", "URL")
      .Text("--secret-file", arguments->secret_file,
            "the key that signs webhooks; without one it is made and shown once", "FILE")
      .Text("-p,--project", arguments->project,
            "tell of all work of this project, not only of your own", "NAME")
      .Text("--waiting", arguments->waiting, "what a long wait is [1h]", "SPAN")
      .Text("--left", arguments->left, "how long before its time limit work is near it [15m]",
            "SPAN")
      .Flag("--off", arguments->off, "make it, but do not use it yet")
      .Examples(
          "gpuyard notify add me --mail ann@lab.org\n"
          "gpuyard notify add team -p vision --on failed,preempted --slack "
          "https://hooks.slack.com/services/…\n"
          "gpuyard notify add bot --on all --webhook https://ci.lab.org/gpuyard --secret-file key");
  add.Run([arguments, &session] { return Add(session, *arguments); });
}

}  // namespace

void AddNotify(CLI::App& app, Session& session) {
  Verb notify = Verb(app, session).Add("notify", "Be told what happens to work");
  notify.NeedsVerb().Examples(
      "gpuyard notify add me --mail ann@lab.org --on end,waiting\ngpuyard notify test me\n"
      "gpuyard notify log me");
  auto arguments = std::make_shared<NotifyArguments>();
  Verb list = notify.Add("list", "List your rules and those of projects you may change");
  list.Format().Examples("gpuyard notify list");
  list.Run([&session] { return List(session); });
  AddAdd(notify, session);
  Verb remove = notify.Add("remove", "Delete a rule; messages that wait go with it");
  remove.NeedsWord("NAME", arguments->name, "the rule, by name or id")
      .Examples("gpuyard notify remove me");
  remove.Run([arguments, &session] { return Remove(session, arguments->name); });
  Verb test = notify.Add("test", "Send a message now and say how that went");
  test.NeedsWord("NAME", arguments->name, "the rule, by name or id")
      .Examples("gpuyard notify test me");
  test.Run([arguments, &session] { return Test(session, arguments->name); });
  Verb log = notify.Add("log", "Show what was sent, what waits and what failed");
  log.Word("NAME", arguments->name, "only of this rule")
      .Number("-n,--limit", arguments->limit, "how many, newest first [20]")
      .Format()
      .Examples("gpuyard notify log\ngpuyard notify log bot -o json");
  log.Run([arguments, &session] { return Log(session, *arguments); });
}

}  // namespace yard::cli
