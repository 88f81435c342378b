// A change of tracked things in the making: reads see the catalog, the changes before this one in
// the same commit, and its own.
//
// Thread rule: the thread that writes.
#pragma once

#include <cstddef>
#include <set>
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

  // How many there are that `wanted` takes.
  template <class T, class Wanted>
  std::size_t Count(Wanted wanted) const;
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

template <class T, class Wanted>
std::size_t TrackTxn::Count(Wanted wanted) const {
  std::set<std::string, std::less<>> keys;
  for (const Shared<T>& thing : catalog_.Select<T>(wanted)) keys.insert(KeyOf(*thing));
  for (const ChangedThings* layer : {&before_, &own_}) {
    for (const auto& [key, thing] : std::get<Changed<T>>(*layer)) {
      keys.erase(key);
      if (thing && wanted(*thing)) keys.insert(key);
    }
  }
  return keys.size();
}

// Puts `later` on top of `all`.
void Merge(ChangedThings& all, ChangedThings later);

}  // namespace yard::control
