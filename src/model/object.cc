#include "model/object.h"

#include <array>

namespace yard {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Object>> kKinds{"user",
                                                                           "application",
                                                                           "token",
                                                                           "role",
                                                                           "access-rule",
                                                                           "cluster",
                                                                           "node-pool",
                                                                           "node",
                                                                           "department",
                                                                           "project",
                                                                           "asset",
                                                                           "policy",
                                                                           "workload",
                                                                           "setting",
                                                                           "idempotent-reply",
                                                                           "counter",
                                                                           "attempt",
                                                                           "notification-rule",
                                                                           "notification-delivery",
                                                                           "reservation",
                                                                           "session"};

template <class T>
std::string NameText(const T& object) {
  if constexpr (requires { object.email; }) {
    return object.email;
  } else if constexpr (requires { object.name; }) {
    return object.name;
  } else {
    return IdText(object.id);
  }
}

}  // namespace

std::string IdText(const Uuid& id) {
  return FormatUuid(id);
}
std::string IdText(std::int64_t id) {
  return std::to_string(id);
}
std::string IdText(const std::string& id) {
  return id;
}

std::string_view KindOf(const Object& object) {
  return kKinds[object.index()];
}

bool IsBookkeeping(std::string_view kind) {
  return kind == "counter" || kind == "idempotent-reply" || kind == "attempt" ||
         kind == "notification-delivery" || kind == "session";
}

std::string IdOf(const Object& object) {
  return std::visit([](const auto& o) { return IdText(o->id); }, object);
}

std::string NameOf(const Object& object) {
  return std::visit([](const auto& o) { return NameText(*o); }, object);
}

}  // namespace yard
