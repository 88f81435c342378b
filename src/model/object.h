// Every kind of object the server keeps, as one closed list.
//
// The store, the state and the change stream all work over this list, so adding a kind here is
// what it takes to make it durable, readable and audited.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include "model/access.h"
#include "model/asset.h"
#include "model/attempt.h"
#include "model/notify.h"
#include "model/org.h"
#include "model/workload.h"

namespace yard {

template <class T>
using Ptr = std::shared_ptr<const T>;

template <class... Ts>
struct TypeList {};

using ObjectTypes =
    TypeList<User, Application, PersonalToken, Role, AccessRule, Cluster, NodePool, Node,
             Department, Project, Asset, Policy, Workload, Setting, IdempotentReply, Counter,
             Attempt, NotifyRule, Delivery, Reservation, LoginSession>;

template <class List>
struct VariantOf;
template <class... Ts>
struct VariantOf<TypeList<Ts...>> {
  using type = std::variant<Ptr<Ts>...>;  // NOLINT(readability-identifier-naming): as in std
};

using Object = VariantOf<ObjectTypes>::type;

// The position in ObjectTypes is stored on disk by name, never by number.
std::string_view KindOf(const Object& object);
// Kinds that the server keeps for itself: people are neither told of them nor shown their changes.
bool IsBookkeeping(std::string_view kind);
// The id as text: decimal, UUID or the string itself.
std::string IdOf(const Object& object);
// What people call it: name, e-mail, or the id if it has no name.
std::string NameOf(const Object& object);

std::string IdText(const Uuid& id);
std::string IdText(std::int64_t id);
std::string IdText(const std::string& id);
template <class Tag, class Rep>
std::string IdText(const StrongId<Tag, Rep>& id) {
  return IdText(id.value);
}

}  // namespace yard
