// Builders for the tests of the stores.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "store/sqlite/sqlite_store.h"
#include "store/store.h"

namespace yard::store {

// A directory of its own under the system's temporary directory, removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = std::filesystem::temp_directory_path() / "gpuyard-store-XXXXXX";
    const char* made = ::mkdtemp(pattern.data());
    EXPECT_NE(made, nullptr);
    path_ = made == nullptr ? "" : made;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::unique_ptr<Store> MustOpen(const std::string& directory) {
  auto store = OpenSqlite(directory);
  EXPECT_TRUE(store) << (store ? "" : store.error().message);
  return store ? std::move(*store) : nullptr;
}

inline WorkloadId MakeWorkloadId(std::uint32_t number) {
  Uuid uuid;
  for (std::size_t i = 0; i < 4; ++i) {
    uuid.bytes[i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  }
  return WorkloadId{uuid};
}

inline Workload MakeWorkload(std::uint32_t number, const std::string& name) {
  Workload workload;
  workload.id = MakeWorkloadId(number);
  workload.name = name;
  return workload;
}

inline WorkloadEvent MakeEvent(std::uint32_t workload, const std::string& message) {
  return {.workload = MakeWorkloadId(workload), .type = "Normal", .message = message};
}

template <class T>
Object Share(const T& value) {
  return std::make_shared<const T>(value);
}

inline Entry MakeEntry(Time at, Change change) {
  Entry entry{.at = at, .origin = {.subject = "ada@lab.org", .subject_type = "User"}};
  entry.changes.push_back(std::move(change));
  return entry;
}

template <class T>
Entry Creation(const T& value, Time at = Time{1}) {
  return MakeEntry(at, {.after = Share(value)});
}
template <class T>
Entry Update(const T& before, const T& after, Time at = Time{1}) {
  return MakeEntry(at, {.before = Share(before), .after = Share(after)});
}
template <class T>
Entry Deletion(const T& before, Time at = Time{1}) {
  return MakeEntry(at, {.before = Share(before)});
}

inline void PruneAll(Store& store, Time before) {
  while (true) {
    Result<Pruned> pruned = store.Prune(before);
    ASSERT_TRUE(pruned) << pruned.error().message;
    if (*pruned == Pruned::kAll) return;
  }
}

inline std::map<std::string, Object> LoadAll(Store& store) {
  std::map<std::string, Object> live;
  Status status = store.Load([&](Object object) -> Status {
    live.emplace(IdOf(object), object);
    return {};
  });
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  return live;
}

}  // namespace yard::store
