#include "control/notify/rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/commands/org.h"

namespace yard::control {
namespace {

bool SharesOwner(const NotifyRule& a, const NotifyRule& b) {
  return a.owner == b.owner && a.project == b.project;
}

Status CheckAmongOthers(const State& state, const NotifyRule& rule) {
  std::size_t others = 0;
  bool taken = false;
  state.Of<NotifyRule>().Each([&](const NotifyRule& other) {
    if (other.id == rule.id || !SharesOwner(other, rule)) return;
    ++others;
    taken = taken || other.name == rule.name;
  });
  if (taken) {
    return Fail(Code::kConflict, fmt::format("a rule named '{}' exists already", rule.name),
                "choose another name, or change the one that is there");
  }
  if (others >= kMaxNotifyRules) {
    return Fail(Code::kConflict, fmt::format("there are {} rules already", others),
                "delete one that is no longer used, or give one more events");
  }
  return {};
}

Status CheckTarget(const NotifyRule& rule) {
  if (rule.target.empty()) {
    return Fail(Code::kInvalid, "target: say where the messages go",
                "a mail address, or the URL of the webhook");
  }
  if (rule.channel == NotifyChannel::kWebhook && rule.sealed_key.empty()) {
    return Fail(Code::kInvalid, "secret: a webhook needs a key that signs its messages",
                "send one of 16 characters or more, and give it to the receiver");
  }
  return {};
}

void ApplyTarget(const Txn& txn, NotifyRule& rule, const NotifyDraft& draft) {
  rule.target = *draft.target;
  rule.sealed_url = draft.sealed_url;
  // What a rule may reach follows from who chose the target.
  rule.private_allowed =
      Access(txn.state(), txn.who()).May(Resource::kSettings, Action::kUpdate, ScopePath{});
}

Status Apply(const Txn& txn, NotifyRule& rule, const NotifyDraft& draft) {
  if (rule.channel != draft.channel) {
    rule.target.clear();
    rule.sealed_url.clear();
    rule.sealed_key.clear();
  }
  rule.name = draft.name;
  rule.channel = draft.channel;
  rule.events = draft.events;
  rule.enabled = draft.enabled;
  rule.waits_longer = draft.waits_longer.value_or(rule.waits_longer);
  rule.time_left = draft.time_left.value_or(rule.time_left);
  rule.sealed_key = draft.sealed_key.value_or(rule.sealed_key);
  if (draft.target) ApplyTarget(txn, rule, draft);
  if (rule.events.empty()) {
    return Fail(Code::kInvalid, "events: name at least one", "for example Completed and Failed");
  }
  YARD_TRY(CheckTarget(rule));
  return CheckAmongOthers(txn.state(), rule);
}

Error NoSuchRule(NotifyRuleId id) {
  return {Code::kNotFound, fmt::format("you have no rule {}", FormatUuid(id.value)),
          "see GET /api/v1/notifications/rules for the ids"};
}

// The rule, if the caller may change it.
Result<Ptr<NotifyRule>> Managed(Txn& txn, NotifyRuleId id) {
  Ptr<NotifyRule> rule = txn.state().Find<NotifyRule>(id);
  if (!rule) return Fail(NoSuchRule(id));
  if (rule->project) {
    YARD_ASSIGN(Ptr<Project> project, GetProject(txn.state(), *rule->project));
    YARD_TRY(txn.Require(Resource::kProject, Action::kUpdate, txn.state().PathOf(*project)));
    return rule;
  }
  if (!txn.who().user || rule->owner != txn.who().user) return Fail(NoSuchRule(id));
  return rule;
}

}  // namespace

Result<Ptr<NotifyRule>> CreateNotifyRule(Txn& txn, const NotifyDraft& draft) {
  NotifyRule rule{.id = NotifyRuleId{txn.NewUuid()}, .channel = draft.channel};
  if (draft.project) {
    YARD_ASSIGN(Ptr<Project> project, GetProject(txn.state(), *draft.project));
    YARD_TRY(txn.Require(Resource::kProject, Action::kUpdate, txn.state().PathOf(*project)));
    rule.project = project->id;
  } else if (txn.who().user) {
    rule.owner = txn.who().user;
  } else {
    return Fail(Code::kForbidden, "only a user can have rules of their own",
                "name a project, or sign in as a user");
  }
  YARD_TRY(Apply(txn, rule, draft));
  rule.stamp = txn.NewStamp();
  return txn.Put(std::move(rule));
}

Result<Ptr<NotifyRule>> UpdateNotifyRule(Txn& txn, NotifyRuleId id, const NotifyDraft& draft) {
  YARD_ASSIGN(Ptr<NotifyRule> current, Managed(txn, id));
  if (draft.project && draft.project != current->project) {
    return Fail(Code::kInvalid, "projectId: a rule cannot move to another project",
                "make a rule there and delete this one");
  }
  NotifyRule rule = *current;
  YARD_TRY(Apply(txn, rule, draft));
  txn.Touch(rule.stamp);
  return txn.Put(std::move(rule));
}

Status DeleteNotifyRule(Txn& txn, NotifyRuleId id) {
  YARD_TRY(Managed(txn, id));
  EraseNotifyRule(txn, id);
  return {};
}

Result<Ptr<NotifyRule>> GetNotifyRule(const State& state, const Principal& who, NotifyRuleId id) {
  Ptr<NotifyRule> rule = state.Find<NotifyRule>(id);
  if (!rule) return Fail(NoSuchRule(id));
  if (rule->project) {
    YARD_ASSIGN(Ptr<Project> project, GetProject(state, *rule->project));
    YARD_TRY(Authorize(state, who, Resource::kProject, Action::kUpdate, state.PathOf(*project)));
    return rule;
  }
  if (!who.user || rule->owner != who.user) return Fail(NoSuchRule(id));
  return rule;
}

std::vector<Ptr<NotifyRule>> NotifyRulesOf(const State& state, const Principal& who) {
  std::vector<Ptr<NotifyRule>> rules;
  Access access(state, who);
  state.Of<NotifyRule>().Each([&](const NotifyRule& rule) {
    Ptr<Project> project = rule.project ? state.Find<Project>(*rule.project) : nullptr;
    bool mine = rule.owner && rule.owner == who.user;
    bool ours = project && access.May(Resource::kProject, Action::kUpdate, state.PathOf(*project));
    if (mine || ours) rules.push_back(state.Find<NotifyRule>(rule.id));
  });
  return rules;
}

void EraseNotifyRule(Txn& txn, NotifyRuleId id) {
  for (const Ptr<Delivery>& delivery : txn.state().DeliveriesOf(id)) {
    txn.Erase<Delivery>(delivery->id);
  }
  txn.Erase<NotifyRule>(id);
}

void EraseNotifyRulesOf(Txn& txn, ProjectId project) {
  std::vector<NotifyRuleId> rules;
  txn.state().Of<NotifyRule>().Each([&](const NotifyRule& rule) {
    if (rule.project == project) rules.push_back(rule.id);
  });
  for (NotifyRuleId id : rules) EraseNotifyRule(txn, id);
}

}  // namespace yard::control
