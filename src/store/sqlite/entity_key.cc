#include "store/sqlite/entity_key.h"

#include <cstring>
#include <utility>

namespace yard::store {

EntityKey::EntityKey(std::string id) : uuid_(ParseUuid(id)) {
  // An id in capitals is somebody else's text and has to come back as it was.
  if (uuid_ && FormatUuid(*uuid_) != id) uuid_.reset();
  if (!uuid_) text_ = std::move(id);
}

void EntityKey::BindTo(Statement& statement) const {
  if (uuid_) {
    statement.BindBlob(BytesOf(*uuid_));
  } else {
    statement.Bind(text_);
  }
}

std::string EntityKey::Read(const Statement& statement, int column) {
  if (statement.IsBlob(column)) return FormatUuid(ReadUuid(statement, column));
  return std::string(statement.Text(column));
}

Uuid ReadUuid(const Statement& statement, int column) {
  Uuid uuid;
  std::string_view bytes = statement.Text(column);
  if (bytes.size() == uuid.bytes.size()) std::memcpy(uuid.bytes.data(), bytes.data(), bytes.size());
  return uuid;
}

std::string_view BytesOf(const Uuid& uuid) {
  return {reinterpret_cast<const char*>(uuid.bytes.data()), uuid.bytes.size()};
}

}  // namespace yard::store
