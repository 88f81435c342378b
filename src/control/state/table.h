// A typed view on a table of objects.
//
// All tables with the same kind of key share one instantiation of the map, which holds untyped
// pointers; this class puts the type back on. That keeps the build short.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "base/snapshot_map.h"
#include "base/strong.h"
#include "base/uuid.h"
#include "model/object.h"

namespace yard::control {

using Erased = std::shared_ptr<const void>;

}  // namespace yard::control

// Instantiated once, in control/table.cc.
extern template class yard::SnapshotMap<yard::Uuid, yard::control::Erased>;
extern template class yard::SnapshotMap<std::int64_t, yard::control::Erased>;
extern template class yard::SnapshotMap<std::string, yard::control::Erased>;

namespace yard::control {

inline const std::string& KeyOf(const std::string& id) {
  return id;  // NOLINT(bugprone-return-const-ref-from-parameter): used within one expression
}
template <class Tag, class Rep>
const Rep& KeyOf(const StrongId<Tag, Rep>& id) {
  return id.value;
}

template <class T>
class Table {
 public:
  using Id = typename T::Id;
  using Key = std::remove_cvref_t<decltype(KeyOf(std::declval<const Id&>()))>;

  std::size_t size() const { return map_.size(); }
  bool empty() const { return map_.empty(); }
  Ptr<T> Find(const Id& id) const {
    const Erased* found = map_.Find(KeyOf(id));
    return found ? std::static_pointer_cast<const T>(*found) : nullptr;
  }
  // Calls `visit(const T&)` in id order until it returns false (a void visitor sees all).
  template <class Visitor>
  void Each(Visitor&& visit) const {
    map_.Each([&](const Key&, const Erased& object) {
      return visit(*static_cast<const T*>(object.get()));
    });
  }
  void Put(const Id& id, const Ptr<T>& object) { map_.Put(KeyOf(id), object); }
  void Erase(const Id& id) { map_.Erase(KeyOf(id)); }

 private:
  SnapshotMap<Key, Erased> map_;
};

}  // namespace yard::control
