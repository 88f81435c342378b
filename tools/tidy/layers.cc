#include "tools/tidy/layers.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace yard::tools {
namespace {

struct Layer {
  std::string_view module;
  std::string_view may_include;  // modules, separated by spaces; "*" is any
};

// From the bottom to the top. A module may always include itself.
constexpr std::array kLayers = {
    Layer{"base", ""},
    Layer{"model", "base"},
    Layer{"wire", "model base"},
    Layer{"http", "base"},
    Layer{"web", "base"},
    Layer{"oidc", "base"},
    Layer{"sched", "model base"},
    Layer{"tune", "model base"},
    Layer{"track", "model base"},
    Layer{"data", "base"},
    Layer{"store", "data wire model base"},
    Layer{"slice", "base"},
    Layer{"shim", ""},
    Layer{"engine", "slice shim store model base"},
    Layer{"control", "sched tune track data store engine wire model base"},
    Layer{"notify", "control wire model base"},
    Layer{"serve", "control http web wire model base"},
    Layer{"api", "serve control data oidc http wire model base"},
    Layer{"facade", "serve control http wire model base"},
    Layer{"client", "http wire model base"},
    Layer{"cli", "client data wire model base"},
    Layer{"serversim", "control engine store wire model base"},
    Layer{"demo", "control engine store wire model base"},
    Layer{"app", "*"},
    Layer{"sim", "sched model base"},
    Layer{"tools", "base"},
};

// Narrower than a module: these paths are closed to those who may include the rest of it.
struct Closed {
  std::string_view from;  // a module
  std::string_view prefix;
  std::string_view why;
};

constexpr std::array kClosed = {
    Closed{"serve", "control/runtime/reactor.h", "serve asks the service, not the reactor"},
    Closed{"api", "control/runtime/reactor.h", "api asks the service, not the reactor"},
    Closed{"api", "control/runtime/driver", "api asks the service, not the dispatcher"},
    Closed{"facade", "control/runtime/reactor.h", "a facade asks the service, not the reactor"},
    Closed{"facade", "control/runtime/driver", "a facade asks the service, not the dispatcher"},
};

// The brain reads types, never the text of a document. These parts of it may: policies look at any
// path of a spec, and a token is JSON by its standard.
constexpr std::array<std::string_view, 2> kReadsJson = {"control/policy/", "control/auth/tokens"};

const Layer* FindLayer(std::string_view module) {
  const auto* layer = std::ranges::find(kLayers, module, &Layer::module);
  return layer == kLayers.end() ? nullptr : layer;
}

bool Lists(std::string_view modules, std::string_view module) {
  if (modules == "*") return true;
  std::size_t at = modules.find(module);
  return at != std::string_view::npos && IsWordAt(modules, at, module);
}

// "engine/local/launch.h" -> "engine/local"; a file directly in its module -> "".
std::string_view FolderBelowModule(std::string_view path) {
  std::size_t first = path.find('/');
  std::size_t second = path.find('/', first + 1);
  return second == std::string_view::npos ? std::string_view() : path.substr(0, second);
}

// One implementation must not see another, and nobody above sees any: only store.h and engine.h.
bool HasImplementations(std::string_view module) {
  return module == "engine" || module == "store";
}

// An implementation that stands on another one.
struct Lends {
  std::string_view to;
  std::string_view folder;
};

constexpr std::array kLends = {
    Lends{"store/series/", "store/sqlite"},       // its blocks lie in a database of the same kind
    Lends{"store/records/", "store/sqlite"},      // and so do these
    Lends{"store/datasets/", "store/sqlite"},     // the index of its packs
    Lends{"engine/local/", "store/sqlite"},       // the records of ended tasks
    Lends{"control/testing/", "store/datasets"},  // data sets of tests are in a real folder
    Lends{"engine/slurm/", "engine/local"},       // a job's task has the same shim, files and log
};

bool IsLent(std::string_view to_path, std::string_view folder) {
  return std::ranges::any_of(kLends, [&](const Lends& lends) {
    return lends.folder == folder && to_path.starts_with(lends.to);
  });
}

std::string RefuseImplementation(std::string_view from_path, std::string_view include) {
  std::string_view folder = FolderBelowModule(include);
  std::string module = ModuleOf(include);
  if (!HasImplementations(module) || folder.empty() || folder.ends_with("/testing")) return {};
  std::string from = ModuleOf(from_path);
  if (from == "app" || from == "demo" || IncludePath(from_path).starts_with(folder)) return {};
  if (IsLent(IncludePath(from_path), folder)) return {};
  return fmt::format("'{}' is one implementation; include the interface of {}", include, module);
}

std::string RefuseClosed(std::string_view module, std::string_view include) {
  for (const Closed& closed : kClosed) {
    if (closed.from == module && include.starts_with(closed.prefix)) return std::string(closed.why);
  }
  return {};
}

std::string RefuseJson(std::string_view path, std::string_view include) {
  bool is_json = include.starts_with("boost/json") || include == "base/json.h" ||
                 include == "base/trusted_json.h" || include == "wire/fields.h";
  if (!is_json || ModuleOf(path) != "control" || IsTest(path)) return {};
  auto may_read = [&](std::string_view part) { return IncludePath(path).starts_with(part); };
  if (std::ranges::any_of(kReadsJson, may_read)) return {};
  return fmt::format("control reads no JSON: let wire read '{}' into a type", include);
}

// Why the include is refused; empty if it is allowed.
std::string Refuse(std::string_view path, std::string_view include) {
  std::string module = ModuleOf(path);
  std::string target = ModuleOf(include);
  const Layer* from = FindLayer(module);
  const Layer* to = FindLayer(target);
  if (from == nullptr || to == nullptr) return {};
  if (IsTest(path) && to <= from) return {};
  if (module != target && !Lists(from->may_include, target)) {
    return fmt::format("'{}' must not include '{}': {} may include only {}", module, include,
                       module, from->may_include.empty() ? "itself" : from->may_include);
  }
  std::string refused = RefuseClosed(module, include);
  return refused.empty() ? RefuseImplementation(path, include) : refused;
}

}  // namespace

void CheckLayerTable(std::span<const Source> sources, std::vector<Finding>& findings) {
  constexpr std::string_view kTable = "tools/tidy/layers.cc";
  if (std::ranges::find(sources, kTable, &Source::path) == sources.end()) return;
  for (const Closed& closed : kClosed) {
    bool exists = std::ranges::any_of(sources, [&](const Source& source) {
      return IncludePath(source.path).starts_with(closed.prefix);
    });
    if (exists) continue;
    findings.push_back({std::string(kTable), 1, "layer",
                        fmt::format("the rule for '{}' guards no file", closed.prefix)});
  }
}

void CheckLayers(const Source& source, std::vector<Finding>& findings) {
  std::string module = ModuleOf(source.path);
  if (source.path.starts_with("src/") && FindLayer(module) == nullptr) {
    findings.push_back({source.path, 1, "layer", fmt::format("unknown module '{}'", module)});
  }
  for (const Include& include : source.includes) {
    if (std::string json = RefuseJson(source.path, include.path); !json.empty()) {
      findings.push_back({source.path, include.line, "layer", std::move(json)});
    }
    if (include.form != IncludeForm::kQuoted) continue;
    std::string refused = Refuse(source.path, include.path);
    if (!refused.empty()) findings.push_back({source.path, include.line, "layer", refused});
    if (include.path.find('/') == std::string::npos) {
      findings.push_back({source.path, include.line, "layer",
                          fmt::format("write '{}' with its module's folder", include.path)});
    }
  }
}

}  // namespace yard::tools
