// The fields of a request or of a part of it. Reads what is there and remembers the first thing
// that is wrong, so that a handler reads all fields and checks once.
//
// Numbers may come as texts, as in addresses. Fields that nobody asks for are ignored, as in
// MLflow's own server. One thread; the object must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "base/time.h"
#include "model/tracking.h"

namespace yard::facade::mlflow {

class Fields {
 public:
  explicit Fields(const json::object& object) : object_(object) {}

  bool Has(std::string_view name) const;
  // Empty if absent.
  std::string Text(std::string_view name);
  std::optional<std::string> MaybeText(std::string_view name);
  // Absent or empty is wrong.
  std::string NeedText(std::string_view name);
  std::int64_t Int(std::string_view name, std::int64_t otherwise = 0);
  std::int64_t NeedInt(std::string_view name);
  bool Flag(std::string_view name);
  // "NaN", "Infinity" and "-Infinity" are numbers too.
  double NeedNumber(std::string_view name);
  // Given in milliseconds; nothing if absent.
  std::optional<Time> MaybeTime(std::string_view name);
  // One or several; none if absent.
  std::vector<std::string> Texts(std::string_view name);
  // The objects of a list.
  std::vector<const json::object*> Objects(std::string_view name);
  // The object of that name; an empty one if absent.
  const json::object& Object(std::string_view name);
  // A list of {key, value}.
  Tags KeyValues(std::string_view name);

  void Wrong(std::string_view name, std::string_view problem);
  Status Check() const { return error_ ? Status(std::unexpected(*error_)) : Status(); }

 private:
  const json::value* Find(std::string_view name) const;

  const json::object& object_;
  std::optional<Error> error_;
};

}  // namespace yard::facade::mlflow
