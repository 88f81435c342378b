// What the crash test's child writes and its parent expects.
//
// Every entry has kRows rows: it creates a workload named after its first sequence number, with
// one event, and moves the counter on, so the journal, the objects and the events must agree.
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/uuid.h"
#include "store/store.h"
#include "wire/spec.h"

namespace yard::store {

class CrashScript {
 public:
  static constexpr std::int64_t kRows = 2;

  // Goes on after what the store holds.
  Status Resume(Store& store) {
    sequence_ = store.last_sequence();
    return store.Load([this](Object object) -> Status {
      if (auto* counter = std::get_if<Ptr<Counter>>(&object)) counter_ = *counter;
      return {};
    });
  }

  // One to four entries.
  std::vector<Entry> NextBatch() {
    std::vector<Entry> batch;
    for (std::uint64_t i = 0; i <= random_.Below(4); ++i) batch.push_back(NextEntry());
    return batch;
  }

 private:
  Entry NextEntry() {
    Time now{1'000 * (sequence_ + 1)};
    auto workload = std::make_shared<Workload>();
    workload->id = WorkloadId{MakeUuid(now, random_)};
    workload->name = std::to_string(sequence_ + 1);
    workload->spec =
        wire::ReadSpecText("{\"padding\":\"" + std::string(random_.Below(6'000), 'x') + "\"}");
    auto counter = std::make_shared<Counter>();
    counter->id = "entries";
    counter->next = (counter_ ? counter_->next : 0) + 1;
    Entry entry{.at = now};
    entry.changes.push_back({.after = Ptr<Workload>(workload)});
    entry.changes.push_back({.after = Ptr<Counter>(counter)});
    if (counter_) entry.changes.back().before = counter_;
    entry.events.push_back({.workload = workload->id, .at = now, .message = workload->name});
    counter_ = counter;
    sequence_ += kRows;
    return entry;
  }

  SeededRandom random_{1};
  std::int64_t sequence_ = 0;
  Ptr<Counter> counter_;
};

}  // namespace yard::store
