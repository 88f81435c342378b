// How each kind of manifest becomes requests, as data.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/json.h"
#include "cli/manifest.h"
#include "cli/resolver.h"
#include "client/client.h"

namespace yard::cli {

// What is there already, and where it is changed.
struct Current {
  std::shared_ptr<const json::value> object;  // null: nothing
  std::string update_path;                    // of that object
};

enum class Update {
  kPut,      // with the fields named in `update_fields`, or the whole body if there are none
  kPatch,    // with those of `update_fields` that are said
  kReplace,  // create and update are the same PUT
  kNever,    // cannot be changed: a difference is an error
};

struct Applier {
  std::string_view kind;    // of the manifest
  std::string_view plural;  // of the API's objects
  // The create request.
  client::Outcome<json::object> (*body)(Resolver& resolver, const Manifest& manifest);
  std::string (*create_path)(const Manifest& manifest);
  client::Outcome<Current> (*find)(Resolver& resolver, const Manifest& manifest,
                                   const json::object& body);
  Update update = Update::kPut;
  std::string_view update_fields = "";  // separated by spaces
};

// The schema of the create request; empty for a type that does not exist.
std::string SchemaOf(const Manifest& manifest);

// The manifest's kind is known already.
const Applier& ApplierOf(const Manifest& manifest);

// Whether everything `wanted` says is so in `current`: what is not said does not count, lists of
// objects are sets, numbers compare by value, null and absent are the same, and so are an id and
// the object that is shown for it.
bool Covers(const json::value& current, const json::value& wanted);

}  // namespace yard::cli
