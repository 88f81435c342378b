// A change of tracked things in the making: reads see the catalog, the changes before this one in
// the same commit, and its own.
//
// Thread rule: the thread that writes.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "control/track/catalog.h"

namespace yard::control {

class TrackTxn {
 public:
  TrackTxn(const Catalog& catalog, const ChangedThings& before, Time now, Random& random)
      : catalog_(catalog), before_(before), now_(now), random_(random) {}

  // Null if there is none.
  template <class T>
  Shared<T> Find(std::string_view key) const {
    for (const ChangedThings* layer : {&own_, &before_}) {
      const auto& changed = std::get<Changed<T>>(*layer);
      if (auto found = changed.find(key); found != changed.end()) return found->second;
    }
    return catalog_.Find<T>(key);
  }
  template <class T>
  void Put(T thing) {
    std::string key = KeyOf(thing);
    std::get<Changed<T>>(own_)[std::move(key)] = std::make_shared<const T>(std::move(thing));
  }
  template <class T>
  void Remove(std::string key) {
    std::get<Changed<T>>(own_)[std::move(key)] = nullptr;
  }

  Shared<Experiment> ExperimentNamed(ProjectId project, const std::string& name) const;
  std::string NextExperimentId() const;
  // 32 hexadecimal digits.
  std::string NewId();
  Time now() const { return now_; }
  Random& random() { return random_; }

  // Things are read and written as a whole, so what one holds beside its metrics is bounded.
  // kInvalid if the change has made one too large.
  Status CheckSizes() const;
  ChangedThings Take() { return std::move(own_); }

 private:
  // As it was before this change; null if it is new.
  template <class T>
  Shared<T> Earlier(const std::string& key) const;

  const Catalog& catalog_;
  const ChangedThings& before_;
  const Time now_;
  Random& random_;
  ChangedThings own_;
};

// Puts `later` on top of `all`.
void Merge(ChangedThings& all, ChangedThings later);

}  // namespace yard::control
