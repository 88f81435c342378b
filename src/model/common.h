// What several kinds of object share.
#pragma once

#include <string>

#include "base/time.h"

namespace yard {

// Who made and last changed an object, and when.
struct Stamp {
  Time created_at;
  std::string created_by;
  Time updated_at;
  std::string updated_by;
};

// A JSON object as canonical text: the part of an object that nothing decides on, kept as the
// client sent it after it was validated against its schema. Never empty: at least "{}".
struct Document {
  std::string json = "{}";
  bool operator==(const Document&) const = default;
};

}  // namespace yard
