#include <algorithm>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/applier.h"
#include "cli/input.h"
#include "cli/manifest.h"
#include "cli/output.h"
#include "cli/resolver.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "wire/schema.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Method;
using client::Outcome;

enum class Mode { kReal, kDryRun };

struct Arguments {
  std::vector<std::string> files;
  bool dry_run = false;
};

// Where a field of the request stands in the file: requests and files differ only at the top.
std::string PathInFile(const Manifest& manifest, std::string field) {
  // A suggestion may follow the field.
  field = field.substr(0, field.find(' '));
  if (field.starts_with("spec.") || field.starts_with("metadata.")) return field;
  if (field.starts_with("meta.")) return "metadata." + field.substr(5);
  if (field.starts_with("policy.")) return "spec." + field.substr(7);
  return manifest.spec().empty() ? std::string() : "spec." + field;
}

Failure AtManifest(const Manifest& manifest, Failure failure) {
  int line = manifest.LineOf("");
  if (!failure.error.fields.empty())
    line = manifest.LineOf(PathInFile(manifest, failure.error.fields.front().field));
  failure.error.message = fmt::format("line {}: {} {}: {}", line, manifest.kind(), manifest.name(),
                                      failure.error.message);
  return failure;
}

// What the schemas of the API say about the request; nothing for kinds they do not know.
Outcome<void> CheckSchema(const Manifest& manifest, const json::object& body) {
  const wire::SchemaSet& schemas = wire::SchemaSet::Api();
  std::string name = SchemaOf(manifest);
  if (!schemas.Has(name)) return {};
  wire::Findings findings = schemas.Validate(name, body);
  for (const std::string& unknown : findings.unknown)
    findings.issues.push_back({unknown, "is not a known field"});
  if (findings.issues.empty()) return {};
  Error error{.code = Code::kInvalid};
  for (const FieldIssue& issue : findings.issues) {
    error.message +=
        fmt::format("{}{} {}", error.message.empty() ? "" : "; ", issue.field, issue.problem);
  }
  error.fields = std::move(findings.issues);
  return std::unexpected(Failure(std::move(error)));
}

// The whole file is checked before the first request: a slip at its end leaves nothing behind.
Outcome<void> CheckShape(const std::vector<Manifest>& manifests) {
  Resolver blind;
  for (const Manifest& manifest : manifests) {
    Outcome<json::object> body = ApplierOf(manifest).body(blind, manifest);
    if (!body) return std::unexpected(AtManifest(manifest, body.error()));
    Outcome<void> fits = CheckSchema(manifest, *body);
    if (!fits) return std::unexpected(AtManifest(manifest, fits.error()));
  }
  return {};
}

bool MayChange(const Applier& applier, std::string_view field) {
  std::vector<std::string_view> fields = Split(applier.update_fields, ' ');
  return applier.update_fields.empty() || std::ranges::find(fields, field) != fields.end();
}

// What the update request says: the wanted fields and, in a PUT, what is there for the others.
json::object UpdateBody(const Applier& applier, const json::object& wanted,
                        const json::value& current) {
  if (applier.update_fields.empty()) return wanted;
  json::object body;
  for (std::string_view field : Split(applier.update_fields, ' ')) {
    const json::value* value = wanted.if_contains(field);
    const json::value& old = At(current, field);
    if (value != nullptr) {
      body[field] = *value;
    } else if (applier.update == Update::kPut && !old.is_null()) {
      body[field] = old;
    }
  }
  return body;
}

// Assets: scope and kind are what they were found by; only these parts of `meta` may change.
json::object AssetUpdate(const json::object& wanted) {
  json::object meta;
  for (const char* field : {"name", "description"}) {
    if (const json::value* value = wanted.at("meta").as_object().if_contains(field))
      meta[field] = *value;
  }
  return {{"meta", std::move(meta)}, {"spec", wanted.at("spec")}};
}

// The first field that differs and cannot be changed; empty if there is none.
std::string FixedDifference(const Applier& applier, const json::object& wanted,
                            const json::value& current) {
  for (const auto& [key, value] : wanted) {
    const json::value& old = At(current, key);
    if (!old.is_null() && !MayChange(applier, key) && !Covers(old, value)) return key;
  }
  return {};
}

class Application {
 public:
  Application(Session& session, client::Client& client, Mode mode)
      : session_(session), client_(client), mode_(mode), resolver_(client) {}

  void SetDefaultProject(std::string project) { resolver_.default_project = std::move(project); }

  Outcome<void> Apply(const Manifest& manifest) {
    const Applier& applier = ApplierOf(manifest);
    YARD_ASSIGN(json::object body, applier.body(resolver_, manifest));
    YARD_ASSIGN(Current current, applier.find(resolver_, manifest, body));
    if (!current.object) return Create(manifest, applier, body);
    if (!manifest.spec().contains("resources")) body.erase("resources");
    return Change(manifest, applier, body, current);
  }

 private:
  // Without the quota that is made up for a new unit: one that is there keeps its own.
  static json::object Said(const Manifest& manifest, const Applier& applier, json::object body) {
    bool unit = applier.update_fields.contains("resources");
    if (unit && !manifest.spec().contains("resources")) body.erase("resources");
    return body;
  }

  Outcome<void> Change(const Manifest& manifest, const Applier& applier, const json::object& whole,
                       const Current& current) {
    const json::object body = Said(manifest, applier, whole);
    if (applier.kind == "AccessRule" || Covers(*current.object, Comparable(applier, body)))
      return Say(manifest, "unchanged");
    std::string fixed = FixedDifference(applier, body, *current.object);
    if (applier.update == Update::kNever || !fixed.empty()) {
      return std::unexpected(Failure({Code::kConflict,
                                      fmt::format("exists, and its {} cannot be changed",
                                                  fixed.empty() ? "definition" : fixed),
                                      fmt::format("delete it first: gpuyard delete {} {}",
                                                  Lower(manifest.kind()), manifest.name())}));
    }
    Method method = applier.update == Update::kPatch ? Method::kPatch : Method::kPut;
    bool asset = body.contains("meta") && applier.update == Update::kPut;
    YARD_TRY(Send(method, current.update_path,
                  asset ? AssetUpdate(body) : UpdateBody(applier, body, *current.object)));
    return Say(manifest, "updated");
  }

  // What identifies an object was looked up, and what the answer does not show cannot be compared.
  static json::object Comparable(const Applier& applier, const json::object& body) {
    if (applier.update == Update::kNever) return json::object{{"spec", body.at("spec")}};
    if (applier.update != Update::kPatch) return body;
    json::object said;
    for (const auto& [key, value] : body) {
      if (MayChange(applier, key)) said[key] = value;
    }
    return said;
  }

  Outcome<void> Create(const Manifest& manifest, const Applier& applier, const json::object& body) {
    Method method = applier.update == Update::kReplace ? Method::kPut : Method::kPost;
    YARD_ASSIGN(json::value made, Send(method, applier.create_path(manifest), body));
    if (mode_ == Mode::kDryRun) resolver_.Promise(applier.plural, manifest.name());
    YARD_TRY(Say(manifest, "created"));
    if (std::string password = TextAt(made, "tempPassword"); !password.empty()) {
      session_.console().err << fmt::format("  temporary password of {}: {}\n", manifest.name(),
                                            password);
    }
    return {};
  }

  Outcome<json::value> Send(Method method, const std::string& path, const json::object& body) {
    if (mode_ == Mode::kDryRun) return json::value(nullptr);
    return client_.SendForJson({.method = method,
                                .path = path,
                                .query = {{"strict", "true"}},
                                .body = json::serialize(body),
                                .idempotency_key = session_.NewKey()});
  }

  Outcome<void> Say(const Manifest& manifest, std::string_view what) {
    session_.console().out << fmt::format("{}{}{} {}{}\n", Lower(manifest.kind()),
                                          manifest.name().empty() ? "" : "/", manifest.name(), what,
                                          mode_ == Mode::kDryRun ? " (dry run)" : "");
    return {};
  }

  Session& session_;
  client::Client& client_;
  Mode mode_;
  Resolver resolver_;
};

// Each document is applied whole or not at all; the first failure ends the file.
Outcome<void> ApplyFile(Session& session, const std::string& file, Mode mode) {
  YARD_ASSIGN(std::string text, ReadInput(session, file));
  YARD_ASSIGN(std::vector<Manifest> manifests, ReadManifests(text));
  YARD_TRY(CheckShape(manifests));
  if (manifests.empty()) session.console().err << "there is nothing to apply\n";
  YARD_ASSIGN(client::Client * client, session.Server());
  YARD_ASSIGN(Profile * profile, session.profile());
  Application application(session, *client, mode);
  application.SetDefaultProject(profile->project);
  for (const Manifest& manifest : manifests) {
    Outcome<void> applied = application.Apply(manifest);
    if (!applied) return std::unexpected(AtManifest(manifest, applied.error()));
  }
  return {};
}

void Apply(Session& session, const Arguments& arguments) {
  Mode mode = arguments.dry_run ? Mode::kDryRun : Mode::kReal;
  for (const std::string& file : arguments.files) {
    Outcome<void> done = ApplyFile(session, file, mode);
    if (done) continue;
    Failure failure = done.error();
    std::string name = file == "-" ? "standard input" : file;
    failure.error.message = fmt::format("{}: {}", name, failure.error.message);
    session.Report(failure);
    return;
  }
}

}  // namespace

void AddApply(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<Arguments>();
  Verb verb = Verb(app, session).Add("apply", "Create or update what YAML files describe");
  verb.NeedsTexts("-f,--file", arguments->files, "a file, or - for standard input; repeatable",
                  "FILE")
      .Flag("--dry-run", arguments->dry_run, "check and say what would be done")
      .Footer(
          "Kinds: User Department Project NodePool Role AccessRule Environment Compute\n"
          "  DataSource Credential Registry Template Policy\n"
          "  Workspace Training Distributed Inference\n\n"
          "Examples:\n  gpuyard apply -f lab.yaml\n  gpuyard apply --dry-run -f lab.yaml\n"
          "  cat lab.yaml | gpuyard apply -f -");
  verb.Run([arguments, &session]() -> client::Outcome<void> {
    Apply(session, *arguments);
    return {};
  });
}

}  // namespace yard::cli
