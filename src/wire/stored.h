// The form in which objects lie on disk: kind, id and one JSON object.
//
// Field names are part of the disk format: add, never rename. A field that is missing in an old
// record keeps its default.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/object.h"

namespace yard::wire {

std::string EncodeStored(const Object& object);
Result<Object> DecodeStored(std::string_view kind, std::string_view json);

// A stored JSON object with every secret field replaced by "(hidden)": fit for the audit log.
std::string HideSecrets(std::string_view json);

}  // namespace yard::wire
