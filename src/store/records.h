// Records outside the journal: kind, id and one text each, for what comes in large numbers from
// programs and needs no audit, such as tracked runs.
//
// A write that succeeded is on disk and survives kill -9 and power loss; one that failed has
// changed nothing. Thread rule: Write from one thread; Backup from any.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::store {

struct RecordChange {
  std::string kind;
  std::string id;
  std::optional<std::string> body;  // none: the record goes
};

class RecordStore {
 public:
  using Visit =
      std::function<Status(std::string_view kind, std::string_view id, std::string_view body)>;

  virtual ~RecordStore() = default;
  // Every record, by kind and id. Stops at the first failure of `visit`.
  virtual Status Load(const Visit& visit) = 0;
  // All of them or none. A full disk is kUnavailable.
  virtual Status Write(std::span<const RecordChange> changes) = 0;
  // All records in one file, while serving. Put in place as records.db it is a store again.
  virtual Status Backup(const std::string& path) = 0;
};

}  // namespace yard::store
