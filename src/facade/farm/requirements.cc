#include "facade/farm/requirements.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "facade/farm/volumes.h"
#include "wire/fields.h"

namespace yard::facade::farm {
namespace {

using wire::ObjectIn;
using wire::TextOrEmpty;

constexpr std::string_view kGpu = "nvidia.com/gpu";
constexpr std::array<std::string_view, 4> kPodFields{"metadata.name", "metadata.uid",
                                                     "metadata.namespace", "spec.nodeName"};

std::unexpected<Error> Wrong(std::string_view where, std::string_view problem,
                             std::string details = {}) {
  return Fail(Code::kInvalid, fmt::format("{}: {}", where, problem), std::move(details));
}

// "host_IPC", "hostIPC" and "hostIpc" are one word.
std::string Squeeze(std::string_view key) {
  std::string plain;
  for (char c : key) {
    if (c == '_') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

json::object& PartOf(json::object& spec, std::string_view name) {
  return spec.emplace(name, json::object()).first->value().as_object();
}

Status TakeReference(const json::object& from, std::string_view where, json::object& variable) {
  if (const json::object* field = ObjectIn(from, "fieldRef")) {
    std::string_view path = TextOrEmpty(*field, "fieldPath");
    if (std::ranges::find(kPodFields, path) == kPodFields.end()) {
      return Wrong(where, fmt::format("the field '{}' is not known here", path),
                   fmt::format("use one of {}", fmt::join(kPodFields, ", ")));
    }
    variable["podFieldRef"] = json::object{{"path", path}};
    return {};
  }
  const json::object* secret = ObjectIn(from, "secretKeyRef");
  if (secret == nullptr) {
    return Wrong(where, "its value comes from something that is not known here",
                 "use value, fieldRef or secretKeyRef");
  }
  variable["secret"] =
      json::object{{"name", TextOrEmpty(*secret, "name")}, {"key", TextOrEmpty(*secret, "key")}};
  return {};
}

Result<json::object> ReadVariable(const json::object& item, std::string_view where) {
  std::string_view name = TextOrEmpty(item, "name");
  if (name.empty()) return Wrong(where, "a variable has no name");
  json::object variable{{"name", name}};
  if (const json::object* from = ObjectIn(item, "valueFrom")) {
    YARD_TRY(TakeReference(*from, fmt::format("{}.{}", where, name), variable));
    return variable;
  }
  const json::value* value = wire::ValueIn(item, "value");
  std::optional<std::string> text = value == nullptr ? std::string() : PlainText(*value);
  if (!text) return Wrong(fmt::format("{}.{}", where, name), "must be a text");
  variable["value"] = *text;
  return variable;
}

Status TakeVariables(const json::value& value, Requirements& out) {
  YARD_ASSIGN(json::array variables, ReadVariables(value, "capacity_requirements.env"));
  out.spec["environmentVariables"] = std::move(variables);
  return {};
}

Status TakeCredentials(const json::value& value, Requirements& out) {
  constexpr std::string_view kWhere = "capacity_requirements.env_from";
  const json::array* list = value.if_array();
  if (list == nullptr) return Wrong(kWhere, "must be a list");
  for (const json::value& item : *list) {
    const json::object* source = item.if_object();
    const json::object* secret = source ? ObjectIn(*source, "secretRef") : nullptr;
    std::string_view name = secret ? TextOrEmpty(*secret, "name") : "";
    if (name.empty()) {
      return Wrong(kWhere, "only secretRef with a name is known here", "name a credential");
    }
    out.credentials.emplace_back(name);
  }
  return {};
}

Status TakeGpus(const json::value& value, json::object& compute) {
  std::optional<double> count = wire::Amount(value);
  auto whole = static_cast<std::int64_t>(std::clamp(count.value_or(-1), -1.0, 1e6));
  if (!count || whole < 0 || static_cast<double>(whole) != *count) {
    return Wrong("capacity_requirements.resource_limits", "nvidia.com/gpu must be a whole number");
  }
  compute["gpuDevicesRequest"] = whole;
  return {};
}

Status TakeResource(std::string_view name, const json::value& value, Requirements& out) {
  json::object& compute = PartOf(out.spec, "compute");
  if (name == kGpu) return TakeGpus(value, compute);
  std::optional<std::string> text = PlainText(value);
  std::optional<double> amount = wire::Amount(value);
  if (!text || !amount || *amount < 0) {
    return Wrong("capacity_requirements.resource_limits", fmt::format("{} is no amount", name));
  }
  if (name == "cpu") {
    compute["cpuCoreRequest"] = *amount;
    compute["cpuCoreLimit"] = *amount;
  } else if (name == "memory") {
    compute["cpuMemoryRequest"] = *text;
    compute["cpuMemoryLimit"] = *text;
  } else if (name.contains('/')) {
    auto& others = compute.emplace("extendedResources", json::array()).first->value();
    others.as_array().push_back(json::object{{"resource", name}, {"quantity", *text}});
  } else {
    out.ignored.push_back(fmt::format("resource_limits.{}", name));
  }
  return {};
}

// As Farm does, what is asked for is the limit as well.
Status TakeResources(const json::value& value, Requirements& out) {
  const json::object* amounts = value.if_object();
  if (amounts == nullptr)
    return Wrong("capacity_requirements.resource_limits", "must be an object");
  for (std::string_view inner : {"requests", "limits"}) {
    if (const json::object* found = ObjectIn(*amounts, inner)) amounts = found;
  }
  for (const auto& [name, amount] : *amounts) YARD_TRY(TakeResource(name, amount, out));
  return {};
}

Status TakePullPolicy(const json::value& value, Requirements& out) {
  out.spec["imagePullPolicy"] = value;
  return {};
}
Status TakePullSecrets(const json::value& value, Requirements& out) {
  out.spec["imagePullSecrets"] = value;
  return {};
}
Status TakeWorkingDir(const json::value& value, Requirements& out) {
  out.spec["workingDir"] = value;
  return {};
}
Status TakeTty(const json::value& value, Requirements& out) {
  out.spec["tty"] = value;
  return {};
}
Status TakeDeadline(const json::value& value, Requirements& out) {
  out.spec["timeLimitSeconds"] = value;
  return {};
}
Status TakeGrace(const json::value& value, Requirements& out) {
  out.spec["terminationGracePeriodSeconds"] = value;
  return {};
}
Status TakeNode(const json::value& value, Requirements& out) {
  out.spec["nodes"] = json::array{value};
  return {};
}
Status TakeTolerations(const json::value& value, Requirements& out) {
  const json::array* list = value.if_array();
  if (list == nullptr) return Wrong("capacity_requirements.tolerations", "must be a list");
  json::array kept;
  for (const json::value& item : *list) {
    const json::object* one = item.if_object();
    if (one == nullptr) return Wrong("capacity_requirements.tolerations", "must be objects");
    json::object toleration;
    for (std::string_view field : {"key", "operator", "value", "effect"}) {
      if (const json::value* found = wire::ValueIn(*one, field)) toleration[field] = *found;
    }
    kept.push_back(std::move(toleration));
  }
  out.spec["tolerations"] = std::move(kept);
  return {};
}

// Definitions ask for the host's IPC to have enough shared memory, and that is what they get.
Status TakeHostIpc(const json::value& value, Requirements& out) {
  if (value == true) PartOf(out.spec, "compute")["largeShmRequest"] = true;
  return {};
}
Status TakeHostNetwork(const json::value& value, Requirements& out) {
  if (value == true) PartOf(out.spec, "security")["hostNetwork"] = true;
  return {};
}

Status TakeSecurity(const json::value& value, Requirements& out) {
  const json::object* context = value.if_object();
  if (context == nullptr)
    return Wrong("capacity_requirements.security_context", "must be an object");
  for (const auto& [name, field] : *context) {
    if (field.is_null()) continue;
    json::object& security = PartOf(out.spec, "security");
    if (name == "runAsUser" || name == "runAsGroup") {
      security["uidGidSource"] = "custom";
      security[name == "runAsUser" ? "runAsUid" : "runAsGid"] = field;
    } else if (name == "capabilities" && field.is_object() && field.as_object().contains("add")) {
      security["capabilities"] = field.as_object().at("add");
    } else if (name == "runAsNonRoot" || name == "readOnlyRootFilesystem" ||
               name == "allowPrivilegeEscalation") {
      security[name] = field;
    } else if (field != false) {
      return Wrong("capacity_requirements.security_context",
                   fmt::format("'{}' is not offered here", std::string_view(name)));
    }
  }
  return {};
}

using Take = Status (*)(const json::value& value, Requirements& out);
constexpr std::pair<std::string_view, Take> kTakes[] = {
    {"env", TakeVariables},
    {"envfrom", TakeCredentials},
    {"resourcelimits", TakeResources},
    {"resources", TakeResources},
    {"imagepullpolicy", TakePullPolicy},
    {"imagepullsecrets", TakePullSecrets},
    {"workingdir", TakeWorkingDir},
    {"tty", TakeTty},
    {"activedeadlineseconds", TakeDeadline},
    {"terminationgraceperiodseconds", TakeGrace},
    {"nodename", TakeNode},
    {"tolerations", TakeTolerations},
    {"hostipc", TakeHostIpc},
    {"hostnetwork", TakeHostNetwork},
    {"securitycontext", TakeSecurity},
    {"podsecuritycontext", TakeSecurity},
};

}  // namespace

std::optional<std::string> PlainText(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_number() || value.is_bool()) return JsonText(value);
  return std::nullopt;
}

void PutVariable(json::array& variables, json::object variable) {
  const json::value name = variable.at("name");
  for (json::value& known : variables) {
    if (known.as_object().at("name") != name) continue;
    known = std::move(variable);
    return;
  }
  variables.push_back(std::move(variable));
}

Result<json::array> ReadVariables(const json::value& list, std::string_view where) {
  if (!list.is_array()) return Wrong(where, "must be a list of variables");
  json::array variables;
  for (const json::value& item : list.get_array()) {
    if (!item.is_object()) return Wrong(where, "must be a list of variables");
    YARD_ASSIGN(json::object variable, ReadVariable(item.get_object(), where));
    PutVariable(variables, std::move(variable));
  }
  return variables;
}

Result<Requirements> ReadRequirements(const json::object& requirements) {
  Requirements out;
  Volumes volumes;
  for (const auto& [key, value] : requirements) {
    if (value.is_null()) continue;
    const std::string plain = Squeeze(key);
    if (plain == "volumes") {
      volumes.volumes = &value;
      continue;
    }
    if (plain == "volumemounts") {
      volumes.mounts = &value;
      continue;
    }
    const auto* take = std::ranges::find(kTakes, plain, [](const auto& one) { return one.first; });
    if (take == std::end(kTakes)) {
      out.ignored.emplace_back(key);
    } else {
      YARD_TRY(take->second(value, out));
    }
  }
  YARD_TRY(TakeVolumes(volumes, out.spec));
  return out;
}

}  // namespace yard::facade::farm
