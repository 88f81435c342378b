#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/iam/iam_views.h"
#include "base/strings.h"
#include "control/auth/secrets.h"
#include "control/notify/courier.h"
#include "control/notify/rules.h"
#include "control/notify/target.h"
#include "serve/server.h"
#include "wire/notify.h"
#include "wire/schema.h"

namespace yard::api {
namespace {

using control::State;
using control::Try;
using control::Txn;

wire::NotifyRuleView ViewOf(const State& state, const NotifyRule& rule) {
  wire::NotifyRuleView view{.rule = &rule};
  if (Ptr<Project> project = rule.project ? state.Find<Project>(*rule.project) : nullptr) {
    view.project_name = project->name;
  }
  if (Ptr<User> owner = rule.owner ? state.Find<User>(*rule.owner) : nullptr) {
    view.user_name = owner->email;
  }
  return view;
}

http::Reply RuleReply(const State& state, const NotifyRule& rule, int status) {
  std::string out;
  wire::Writer w(out);
  wire::WriteNotifyRule(w, ViewOf(state, rule));
  return Json(std::move(out), status);
}

Result<NotifyRuleId> RuleIdOf(const Call& call) {
  YARD_ASSIGN(Uuid id, UuidOf(call, "ruleId", "notification rule"));
  return NotifyRuleId{id};
}

Result<std::string> Seal(Call& call, std::string_view secret) {
  const control::Vault* vault = call.server().vault();
  if (vault != nullptr) return vault->Seal(secret, call.service().random());
  return Fail(Code::kUnavailable, "this server has no key to keep secrets with",
              "start it with a data directory that holds its key");
}

Status TakeTarget(Call& call, const std::string& target, control::NotifyDraft& draft) {
  if (draft.channel == NotifyChannel::kEmail) {
    wire::Findings findings = wire::SchemaSet::Api().Validate("email", json::value(target));
    if (!findings.issues.empty()) {
      return Fail(Code::kInvalid, fmt::format("target: '{}' is not a mail address", target));
    }
    draft.target = target;
    return {};
  }
  YARD_ASSIGN(control::UrlTarget url, control::ReadUrlTarget(draft.channel, target));
  YARD_ASSIGN(draft.sealed_url, Seal(call, url.url));
  draft.target = std::move(url.shown);
  return {};
}

Result<std::optional<ProjectId>> ProjectOf(const wire::NotifyRuleBody& body) {
  if (!body.project) return std::nullopt;
  std::optional<std::int64_t> id = ParseInt(*body.project);
  if (id) return std::optional(ProjectId{*id});
  return Fail(Code::kInvalid, fmt::format("projectId: there is no project '{}'", *body.project),
              "see GET /api/v1/org-unit/projects for the ids");
}

// `current`: what is there already; null for a new rule.
Result<control::NotifyDraft> ReadDraft(Call& call, const NotifyRule* current) {
  YARD_ASSIGN(json::object sent, call.Body());
  YARD_ASSIGN(wire::NotifyRuleBody body, wire::ReadNotifyRule(sent));
  control::NotifyDraft draft{.name = body.name,
                             .events = body.events,
                             .channel = body.channel,
                             .enabled = body.enabled.value_or(true)};
  YARD_ASSIGN(draft.project, ProjectOf(body));
  if (body.waiting_seconds) draft.waits_longer = Seconds(*body.waiting_seconds);
  if (body.left_seconds) draft.time_left = Seconds(*body.left_seconds);
  bool own = current == nullptr && !draft.project && call.who().type == SubjectType::kUser;
  if (!body.target && own && draft.channel == NotifyChannel::kEmail) body.target = call.who().id;
  // Who sends back what was shown means what is there.
  bool same =
      current != nullptr && current->channel == draft.channel && body.target == current->target;
  if (body.target && !same) YARD_TRY(TakeTarget(call, *body.target, draft));
  if (body.secret && draft.channel == NotifyChannel::kWebhook) {
    YARD_ASSIGN(draft.sealed_key, Seal(call, *body.secret));
  }
  return draft;
}

auto RenderRule(Call& call, int status) {
  return [&call, status](const Ptr<NotifyRule>& rule) {
    return RuleReply(*call.service().Read(), *rule, status);
  };
}

Result<Answer> ListRules(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  for (const Ptr<NotifyRule>& rule : control::NotifyRulesOf(call.state(), call.who())) {
    w.Item();
    wire::WriteNotifyRule(w, ViewOf(call.state(), *rule));
  }
  w.EndList();
  return Json(std::move(out));
}

Result<Answer> GetRule(Call& call) {
  YARD_ASSIGN(NotifyRuleId id, RuleIdOf(call));
  YARD_ASSIGN(Ptr<NotifyRule> rule, control::GetNotifyRule(call.state(), call.who(), id));
  return RuleReply(call.state(), *rule, 200);
}

Result<Answer> CreateRule(Call& call) {
  YARD_ASSIGN(control::NotifyDraft draft, ReadDraft(call, nullptr));
  return Commit([draft](Txn& txn) { return control::CreateNotifyRule(txn, draft); },
                RenderRule(call, 201));
}

Result<Answer> UpdateRule(Call& call) {
  YARD_ASSIGN(NotifyRuleId id, RuleIdOf(call));
  YARD_ASSIGN(Ptr<NotifyRule> current, control::GetNotifyRule(call.state(), call.who(), id));
  YARD_ASSIGN(control::NotifyDraft draft, ReadDraft(call, current.get()));
  return Commit([id, draft](Txn& txn) { return control::UpdateNotifyRule(txn, id, draft); },
                RenderRule(call, 200));
}

Result<Answer> DeleteRule(Call& call) {
  YARD_ASSIGN(NotifyRuleId id, RuleIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteNotifyRule(txn, id); },
                [] { return Empty(204); });
}

http::Reply DeliveryReply(const Delivery& delivery, std::string_view rule_name) {
  std::string out;
  wire::Writer w(out);
  wire::WriteDelivery(w, delivery, rule_name);
  return Json(std::move(out));
}

// Sends right now, off the I/O threads, and keeps the record; a test is tried once.
Result<Answer> TestRule(Call& call) {
  YARD_ASSIGN(NotifyRuleId id, RuleIdOf(call));
  YARD_ASSIGN(Ptr<NotifyRule> rule, control::GetNotifyRule(call.state(), call.who(), id));
  control::Courier* courier = call.server().context().courier;
  if (courier == nullptr) return Fail(Code::kUnavailable, "this server sends no messages");
  Delivery delivery{.id = DeliveryId{MakeUuid(call.now(), call.service().random())},
                    .rule = id,
                    .event = NotifyEvent::kTest,
                    .at = call.now(),
                    .user_name = call.who().id,
                    .reason = "Test",
                    .message = fmt::format("{} tried the rule '{}'. It works if you read this.",
                                           call.who().id, rule->name)};
  auto work = [courier, rule, delivery, now = call.now()]() -> Result<Slow::Outcome> {
    Try result = courier->Send(*rule, delivery, now);
    if (result.verdict == Try::Verdict::kAgain) result.verdict = Try::Verdict::kNever;
    Delivery sent = control::AfterTry(delivery, result);
    return std::get<Pending>(
        Commit([sent](Txn& txn) -> Result<Ptr<Delivery>> { return control::RecordTest(txn, sent); },
               [rule](const Ptr<Delivery>& kept) { return DeliveryReply(*kept, rule->name); }));
  };
  return Slow{std::move(work), Slow::Lane::kLive};
}

Result<std::vector<Ptr<NotifyRule>>> RulesAskedFor(Call& call) {
  std::optional<std::string_view> wanted = call.Query("ruleId");
  if (!wanted) return control::NotifyRulesOf(call.state(), call.who());
  std::optional<Uuid> id = ParseUuid(*wanted);
  if (!id) return Fail(Code::kInvalid, "ruleId: is not a UUID");
  YARD_ASSIGN(Ptr<NotifyRule> rule,
              control::GetNotifyRule(call.state(), call.who(), NotifyRuleId{*id}));
  return std::vector{rule};
}

Result<Answer> ListDeliveries(Call& call) {
  YARD_ASSIGN(std::vector<Ptr<NotifyRule>> rules, RulesAskedFor(call));
  std::vector<std::pair<Ptr<Delivery>, std::string_view>> found;
  for (const Ptr<NotifyRule>& rule : rules) {
    for (auto& delivery : call.state().DeliveriesOf(rule->id))
      found.emplace_back(delivery, rule->name);
  }
  std::ranges::sort(found, std::greater{},
                    [](const auto& one) { return std::pair(one.first->at, one.first->id); });
  std::int64_t limit = ParseInt(call.Query("limit").value_or("100")).value_or(100);
  if (found.size() > static_cast<std::size_t>(limit)) found.resize(static_cast<std::size_t>(limit));
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  for (const auto& [delivery, name] : found) {
    w.Item();
    wire::WriteDelivery(w, *delivery, name);
  }
  w.EndList();
  return Json(std::move(out));
}

Result<Answer> ListChannels(Call& call) {
  const control::Courier* courier = call.server().context().courier;
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  for (const auto& channel : wire::NamesOf<NotifyChannel>()) {
    std::string missing =
        courier != nullptr ? courier->Missing(channel.value) : "this server sends no messages";
    w.Item();
    w.Begin();
    w("channel", channel.value);
    w("available", missing.empty());
    w("message", missing);
    w.End();
  }
  w.EndList();
  return Json(std::move(out));
}

}  // namespace

void AddNotificationRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/notifications/rules";
  constexpr std::string_view kOne = "/api/v1/notifications/rules/{ruleId}";
  routes.insert(
      routes.end(),
      {{kGet, kAll, SignedIn(), ListRules,
        "List one's own notification rules and those of projects one may change", "",
        "[NotificationRule]"},
       {kPost, kAll, SignedIn(), CreateRule, "Create a notification rule", "NotificationRuleDraft",
        "NotificationRule", 201},
       {kGet, kOne, SignedIn(), GetRule, "Get a notification rule", "", "NotificationRule"},
       {kPut, kOne, SignedIn(), UpdateRule,
        "Change a notification rule; without target or secret they stay", "NotificationRuleDraft",
        "NotificationRule"},
       {kDelete, kOne, SignedIn(), DeleteRule, "Delete a notification rule with its deliveries", "",
        "", 204},
       {kPost, "/api/v1/notifications/rules/{ruleId}/test", SignedIn(), TestRule,
        "Send a test message now and say how that went", "", "NotificationDelivery"},
       {kGet,
        "/api/v1/notifications/deliveries",
        SignedIn(),
        ListDeliveries,
        "List the newest deliveries of one's rules",
        "",
        "[NotificationDelivery]",
        200,
        {{"ruleId", "uuid"}, {"limit", "int(1..500)"}}},
       {kGet, "/api/v1/notifications/channels", SignedIn(), ListChannels,
        "Say which channels this server can send by", "", "[NotificationChannelState]"}});
}

}  // namespace yard::api
