#include "bench/multifactor.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <queue>

namespace yard::bench {
namespace {

constexpr Micros kCalcPeriod = Minutes(5);
constexpr double kFairShareWeight = 100'000;
constexpr double kAgeWeight = 1'000;
constexpr Micros kOldest = Days(7);

struct Account {
  double usage = 0;  // GPU-seconds, faded
  std::int64_t running = 0;
  std::deque<std::size_t> waiting;  // jobs, the oldest first
};

class Model {
 public:
  Model(const sim::RunInput& input, Micros half_life)
      : input_(input), half_life_(half_life), starts_(input.jobs.size()) {
    for (const sched::Node& node : input.cluster.snapshot.nodes) free_ += std::ssize(node.gpus);
    for (std::size_t j = 0; j < input.jobs.size(); ++j) {
      events_.push({input.jobs[j].submit, j, false});
      accounts_[input.jobs[j].project];
    }
  }

  std::vector<Time> Run() {
    while (!events_.empty()) {
      const Time now = events_.top().at;
      Fade(now);
      for (; !events_.empty() && events_.top().at == now; events_.pop()) Happen(events_.top());
      StartAll(now);
    }
    return std::move(starts_);
  }

 private:
  struct Event {
    Time at;
    std::size_t job;
    bool ends;
    auto operator<=>(const Event&) const = default;
  };

  void Happen(const Event& event) {
    Account& account = accounts_[input_.jobs[event.job].project];
    if (!event.ends) return account.waiting.push_back(event.job);
    --account.running;
    ++free_;
  }

  // In steps, as Slurm does.
  void Fade(Time now) {
    while (calculated_ + kCalcPeriod <= now) {
      calculated_ = calculated_ + kCalcPeriod;
      const double keep = std::exp2(-static_cast<double>(kCalcPeriod.value) /
                                    static_cast<double>(half_life_.value));
      for (auto& [name, account] : accounts_) {
        const double seconds = static_cast<double>(kCalcPeriod.value) / 1e6;
        account.usage = account.usage * keep + static_cast<double>(account.running) * seconds;
      }
    }
  }

  double PriorityOf(const Account& account, Time now) const {
    double all = 0;
    for (const auto& [name, one] : accounts_) all += one.usage;
    const double part = all > 0 ? account.usage / all : 0;
    const double share = 1.0 / static_cast<double>(accounts_.size());
    const Micros age = std::min(now - input_.jobs[account.waiting.front()].submit, kOldest);
    return kFairShareWeight * std::exp2(-part / share) +
           kAgeWeight * static_cast<double>(age.value) / static_cast<double>(kOldest.value);
  }

  void StartAll(Time now) {
    while (free_ > 0) {
      Account* best = nullptr;
      for (auto& [name, account] : accounts_) {
        if (account.waiting.empty()) continue;
        if (best == nullptr || PriorityOf(account, now) > PriorityOf(*best, now)) best = &account;
      }
      if (best == nullptr) return;
      const std::size_t job = best->waiting.front();
      best->waiting.pop_front();
      ++best->running;
      --free_;
      starts_[job] = now;
      events_.push({now + input_.jobs[job].duration, job, true});
    }
  }

  const sim::RunInput& input_;
  Micros half_life_;
  std::int64_t free_ = 0;
  Time calculated_;
  std::map<std::string, Account> accounts_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Time> starts_;
};

}  // namespace

std::vector<Time> RunMultifactor(const sim::RunInput& input, Micros half_life) {
  return Model(input, half_life).Run();
}

}  // namespace yard::bench
