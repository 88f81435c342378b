// Specs of workloads on the wire: the one place that reads and edits their fields.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "model/spec/spec.h"

namespace yard::wire {

// The typed form of a spec; `text` is the same spec as text. A field of the wrong type is not
// there, since a spec is checked when it comes in.
SpecRef ReadSpec(const json::object& spec, std::string text);
// From text alone; an empty spec if the text is no object.
SpecRef ReadSpecText(std::string text);

// A command line: a text is split as a shell would, a list is taken as it is.
Result<Words> ReadWords(const json::object& object, std::string_view field);
// kInvalid with the field if a command line of the spec cannot be split.
Status RequireWords(const json::object& spec);

// "PyTorch"; empty: none.
std::string_view NameOf(Framework framework);

void ChangeSpec(json::object& spec, const SpecChange& change);

}  // namespace yard::wire
