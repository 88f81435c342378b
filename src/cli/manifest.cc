#include "cli/manifest.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

// A kind and what its metadata may say beside the name.
struct Form {
  std::string_view kind;
  std::string_view metadata;
};
constexpr std::string_view kScopes =
    "name description cluster department project autoDelete workloadSupportedTypes";
constexpr std::string_view kTypedScopes =
    "name description cluster department project autoDelete workloadSupportedTypes type";
constexpr std::array kForms = {
    Form{"User", "name"},
    Form{"Department", "name cluster"},
    Form{"Project", "name cluster department"},
    Form{"NodePool", "name cluster"},
    Form{"Role", "name"},
    Form{"AccessRule", "name cluster department project"},
    Form{"Environment", kScopes},
    Form{"Compute", kScopes},
    Form{"DataSource", kTypedScopes},
    Form{"Credential", kTypedScopes},
    Form{"Registry", kScopes},
    Form{"Template", kScopes},
    Form{"Policy", "name type cluster department project"},
    Form{"Workspace", "name project"},
    Form{"Training", "name project"},
    Form{"Distributed", "name project"},
    Form{"Inference", "name project"},
};

std::unexpected<Error> FailAt(int line, std::string what, std::string details = {}) {
  return Fail(Code::kInvalid, fmt::format("line {}: {}", line, what), std::move(details));
}

std::string Suggest(std::string_view word, std::span<const std::string_view> names) {
  std::optional<std::string_view> near = Nearest(word, names);
  return near ? fmt::format("; did you mean '{}'?", *near) : "";
}

// "node-pool", "nodepool" and "NodePool" are one kind.
std::string Squeeze(std::string_view word) {
  std::string squeezed = Lower(word);
  std::erase(squeezed, '-');
  return squeezed;
}

Result<const Form*> FindForm(std::string_view kind, int line) {
  std::vector<std::string_view> names;
  for (const Form& form : kForms) {
    if (Squeeze(form.kind) == Squeeze(kind)) return &form;
    names.push_back(form.kind);
  }
  return FailAt(line, fmt::format("there is no kind '{}'{}", kind, Suggest(kind, names)),
                fmt::format("kinds are {}", fmt::join(names, ", ")));
}

const json::object& ObjectAt(const json::value& document, std::string_view key) {
  static const json::object empty;
  const json::object* object = At(document, key).if_object();
  return object == nullptr ? empty : *object;
}

}  // namespace

Result<Manifest> Manifest::Read(YamlDocument document) {
  Manifest manifest(std::move(document));
  YARD_TRY(manifest.Check());
  return manifest;
}

Status Manifest::Check() {
  const json::value& value = document_.value();
  if (!value.is_object()) return FailAt(LineOf(""), "must be an object with kind, metadata, spec");
  YARD_TRY(CheckKeys());
  std::string kind = TextAt(value, "kind");
  if (kind.empty()) return FailAt(LineOf(""), "kind is missing", "for example `kind: Project`");
  YARD_ASSIGN(const Form* form, FindForm(kind, LineOf("kind")));
  kind_ = form->kind;
  std::vector<std::string_view> known = Split(form->metadata, ' ');
  for (const auto& [key, member] : metadata()) {
    if (std::ranges::find(known, std::string_view(key)) != known.end()) continue;
    return FailAt(LineOf(fmt::format("metadata.{}", std::string_view(key))),
                  fmt::format("metadata.{} is not known for {}{}", std::string_view(key), kind_,
                              Suggest(key, known)));
  }
  name_ = TextAt(value, "metadata.name");
  if (name_.empty()) name_ = TextAt(value, "name");
  if (name_.empty() && kind_ != "AccessRule") {
    return FailAt(LineOf(""), fmt::format("the {} has no name", kind_), "set metadata.name");
  }
  return {};
}

Status Manifest::CheckKeys() const {
  constexpr std::array<std::string_view, 5> kKeys = {"kind", "name", "metadata", "spec",
                                                     "apiVersion"};
  const json::value& value = document_.value();
  for (const auto& [key, member] : value.get_object()) {
    if (std::ranges::find(kKeys, std::string_view(key)) != kKeys.end()) continue;
    return FailAt(
        LineOf(key),
        fmt::format("'{}' is not known here{}", std::string_view(key), Suggest(key, kKeys)),
        "an object has kind, metadata and spec");
  }
  for (const char* key : {"metadata", "spec"}) {
    const json::value& member = At(value, key);
    if (!member.is_null() && !member.is_object())
      return FailAt(LineOf(key), fmt::format("{} must be an object", key));
  }
  return {};
}

std::string Manifest::Meta(std::string_view key) const {
  const json::value* member = metadata().if_contains(key);
  return member == nullptr ? std::string()
                           : TextAt(document_.value(), fmt::format("metadata.{}", key));
}

const json::object& Manifest::metadata() const {
  return ObjectAt(document_.value(), "metadata");
}

const json::object& Manifest::spec() const {
  return ObjectAt(document_.value(), "spec");
}

Result<std::vector<Manifest>> ReadManifests(std::string_view yaml) {
  YARD_ASSIGN(std::vector<YamlDocument> documents, ReadYaml(yaml));
  std::vector<Manifest> manifests;
  for (YamlDocument& document : documents) {
    YARD_ASSIGN(Manifest manifest, Manifest::Read(std::move(document)));
    manifests.push_back(std::move(manifest));
  }
  return manifests;
}

}  // namespace yard::cli
