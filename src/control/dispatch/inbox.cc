#include "control/dispatch/inbox.h"

#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "control/commands/scheduler_settings.h"

namespace yard::control {
namespace {

// Changes that alter more than one workload's place in the picture.
template <class T>
constexpr bool kChangesOrg = false;
template <>
constexpr bool kChangesOrg<Node> = true;
template <>
constexpr bool kChangesOrg<NodePool> = true;
template <>
constexpr bool kChangesOrg<Department> = true;
template <>
constexpr bool kChangesOrg<Project> = true;
template <>
constexpr bool kChangesOrg<Reservation> = true;

// Only whether they are there matters, not what they did last.
template <class T>
constexpr bool kIsSubject = std::is_same_v<T, User> || std::is_same_v<T, Application>;

template <class T>
Ptr<T> As(const std::optional<Object>& object) {
  return object ? std::get<Ptr<T>>(*object) : nullptr;
}

template <class T>
void Move(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void TakeWorkload(const Change& change, Inbox& news) {
  Ptr<Workload> before = As<Workload>(change.before);
  Ptr<Workload> after = As<Workload>(change.after);
  news.workloads.push_back((after ? after : before)->id);
  if (!before || !after || !after->attempt) return;
  if (!before->spec.IsSame(after->spec)) news.changed_limits.push_back(*after->attempt);
  const bool resumed = before->life == Life::kParked && after->life != Life::kParked;
  if (resumed) news.resumed.push_back(*after->attempt);
}

}  // namespace

std::vector<std::int32_t> RanksOf(const Attempt& attempt) {
  std::vector<std::int32_t> ranks(attempt.places.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

bool Inbox::empty() const {
  return workloads.empty() && attempts.empty() && tasks.empty() && unknown.empty() &&
         not_launched.empty() && not_stopped.empty() && usage.empty() && notes.empty() &&
         moved.empty() && resumed.empty() && changed_limits.empty() && !nodes && !lost &&
         passed.empty() && !org_changed && !woken;
}

void Append(Inbox& inbox, Inbox news) {
  Move(inbox.workloads, news.workloads);
  Move(inbox.attempts, news.attempts);
  Move(inbox.tasks, news.tasks);
  Move(inbox.unknown, news.unknown);
  Move(inbox.not_launched, news.not_launched);
  Move(inbox.not_stopped, news.not_stopped);
  Move(inbox.usage, news.usage);
  Move(inbox.notes, news.notes);
  Move(inbox.moved, news.moved);
  Move(inbox.resumed, news.resumed);
  Move(inbox.changed_limits, news.changed_limits);
  if (news.nodes) {
    inbox.came_back = inbox.came_back || inbox.lost;
    inbox.nodes = std::move(news.nodes);
    inbox.lost.reset();
  }
  if (news.lost) {
    inbox.lost = std::move(news.lost);
    inbox.nodes.reset();
  }
  for (auto& [cluster, passed] : news.passed) inbox.passed[cluster] = std::move(passed);
  inbox.org_changed = inbox.org_changed || news.org_changed;
  inbox.woken = inbox.woken || news.woken;
}

Inbox NewsOf(const Notice& notice) {
  Inbox news;
  std::visit(
      [&]<class T>(const Ptr<T>& any) {
        if constexpr (std::is_same_v<T, Workload>) {
          TakeWorkload(notice.change, news);
        } else if constexpr (std::is_same_v<T, Attempt>) {
          news.attempts.push_back(
              {As<Attempt>(notice.change.before), As<Attempt>(notice.change.after)});
        } else if constexpr (std::is_same_v<T, Setting>) {
          news.org_changed = IsSchedulerSetting(any->id);
        } else if constexpr (kChangesOrg<T> || kIsSubject<T>) {
          bool only_touched = kIsSubject<T> && notice.change.before && notice.change.after;
          news.org_changed = !only_touched;
        }
      },
      notice.change.any());
  return news;
}

}  // namespace yard::control
