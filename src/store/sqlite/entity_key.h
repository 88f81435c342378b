// Ids as they lie in the tables: 16 bytes for a UUID in its canonical form, text otherwise.
//
// Short keys make short index entries, and version-7 UUIDs keep their order in time.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/uuid.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

class EntityKey {
 public:
  explicit EntityKey(std::string id);
  explicit EntityKey(const Uuid& uuid) : uuid_(uuid) {}

  // The key must outlive the statement's run.
  void BindTo(Statement& statement) const;

  // The id in a column, as text.
  static std::string Read(const Statement& statement, int column);

 private:
  std::optional<Uuid> uuid_;
  std::string text_;
};

// A UUID stored as 16 bytes; all zero if the column holds something else.
Uuid ReadUuid(const Statement& statement, int column);
std::string_view BytesOf(const Uuid& uuid);

}  // namespace yard::store
