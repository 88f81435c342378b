#include "engine/local/tasks/spec_text.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "base/uuid.h"
#include "shim/format.h"

namespace yard::engine {
namespace {

// Fields of one line, apart by a byte that no sensible text has.
constexpr char kApart = '\x1f';

template <class... Parts>
std::string Fields(const Parts&... parts) {
  std::string out;
  ((out += fmt::format("{}", parts), out += kApart), ...);
  out.pop_back();
  return out;
}

class Encoder {
 public:
  template <class T>
  void Add(std::string_view key, const T& value) {
    AppendSpecLine(out_, key, fmt::format("{}", value));
  }
  void AddText(std::string_view key, const std::string& value) {
    if (!value.empty()) AppendSpecLine(out_, key, value);
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

void AddContainer(Encoder& out, const Container& container) {
  out.Add("image", container.image);
  out.Add("pull", static_cast<int>(container.pull));
  out.AddText("registry.user", container.registry_user);
  out.AddText("registry.password", container.registry_password);
  out.Add("shm", container.shm.value);
  for (const std::string& name : container.add_capabilities) out.Add("capability", name);
  if (container.read_only_root) out.Add("read-only-root", 1);
  if (container.host_network) out.Add("host-network", 1);
  if (container.host_ipc) out.Add("host-ipc", 1);
}

void AddAccount(Encoder& out, const Account& account) {
  out.Add("account", Fields(account.uid, account.gid));
  for (std::uint32_t group : account.groups) out.Add("group", group);
}

void AddResources(Encoder& out, const TaskSpec& spec) {
  for (const GpuGrant& gpu : spec.gpus)
    out.Add("gpu", Fields(gpu.uuid, gpu.part.value, gpu.memory.value, gpu.weight, gpu.limit.value,
                          static_cast<int>(gpu.time)));
  const TaskLimits& limits = spec.limits;
  out.Add("limits", Fields(limits.cpu.value, limits.memory.value, limits.pids, limits.log.value));
}

// One line being read, field by field.
class Fielder {
 public:
  explicit Fielder(std::string_view text) : rest_(text) {}
  std::string_view Text() {
    std::size_t end = rest_.find(kApart);
    std::string_view field = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    return field;
  }
  std::string Copy() { return std::string(Text()); }
  std::string Rest() { return std::string(rest_); }
  std::int64_t Number() { return ParseInt(Text()).value_or(0); }
  template <class T>
  T As() {
    return static_cast<T>(Number());
  }

 private:
  std::string_view rest_;
};

Container& ContainerOf(TaskSpec& spec) {
  if (!spec.container) spec.container.emplace();
  return *spec.container;
}

using Take = void (*)(TaskSpec&, Fielder);

// Of a mount.
constexpr int kReadOnly = 1;
constexpr int kMustExist = 2;

void TakeMount(TaskSpec& spec, Fielder line) {
  Mount mount;
  mount.kind = line.As<MountKind>();
  const std::int64_t flags = line.Number();
  mount.read_only = (flags & kReadOnly) != 0;
  mount.must_exist = (flags & kMustExist) != 0;
  mount.target = line.Copy();
  mount.source = line.Rest();
  spec.mounts.push_back(std::move(mount));
}

void TakeVariable(TaskSpec& spec, Fielder line) {
  Variable variable;
  variable.secret = line.Number() != 0;
  variable.name = line.Copy();
  variable.value = line.Rest();
  spec.variables.push_back(std::move(variable));
}

void TakeAccount(TaskSpec& spec, Fielder line) {
  Account account;
  account.uid = line.As<std::uint32_t>();
  account.gid = line.As<std::uint32_t>();
  spec.account = account;
}

void TakeGpu(TaskSpec& spec, Fielder line) {
  GpuGrant gpu;
  gpu.uuid = line.Copy();
  gpu.part = MilliGpu(line.Number());
  gpu.memory = Mebibytes(line.Number());
  gpu.weight = line.As<std::int32_t>();
  gpu.limit = Mebibytes(line.Number());
  gpu.time = line.As<GpuTime>();
  spec.gpus.push_back(std::move(gpu));
}

void TakeLimits(TaskSpec& spec, Fielder line) {
  spec.limits.cpu = MilliCpu(line.Number());
  spec.limits.memory = Mebibytes(line.Number());
  spec.limits.pids = line.Number();
  spec.limits.log = Mebibytes(line.Number());
}

void TakeKey(TaskSpec& spec, Fielder line) {
  spec.key.attempt = AttemptId(ParseUuid(line.Text()).value_or(Uuid{}));
  spec.key.rank = line.As<std::int32_t>();
}

void TakeGroup(TaskSpec& spec, Fielder line) {
  if (spec.account) spec.account->groups.push_back(line.As<std::uint32_t>());
}

const std::unordered_map<std::string_view, Take>& Takers() {
  using S = TaskSpec&;
  static const std::unordered_map<std::string_view, Take> takers = {
      {"key", TakeKey},
      {"mount", TakeMount},
      {"variable", TakeVariable},
      {"account", TakeAccount},
      {"group", TakeGroup},
      {"gpu", TakeGpu},
      {"limits", TakeLimits},
      {"node", [](S s, Fielder v) { s.node = v.Rest(); }},
      {"title", [](S s, Fielder v) { s.title = v.Rest(); }},
      {"command", [](S s, Fielder v) { s.command.push_back(v.Rest()); }},
      {"arg", [](S s, Fielder v) { s.args.push_back(v.Rest()); }},
      {"cwd", [](S s, Fielder v) { s.working_dir = v.Rest(); }},
      {"port", [](S s, Fielder v) { s.ports.push_back(v.As<std::uint16_t>()); }},
      {"together", [](S s, Fielder v) { s.together.push_back(v.As<std::int32_t>()); }},
      {"tty", [](S s, Fielder) { s.tty = true; }},
      {"image", [](S s, Fielder v) { ContainerOf(s).image = v.Rest(); }},
      {"pull", [](S s, Fielder v) { ContainerOf(s).pull = v.As<PullPolicy>(); }},
      {"registry.user", [](S s, Fielder v) { ContainerOf(s).registry_user = v.Rest(); }},
      {"registry.password", [](S s, Fielder v) { ContainerOf(s).registry_password = v.Rest(); }},
      {"shm", [](S s, Fielder v) { ContainerOf(s).shm = Mebibytes(v.Number()); }},
      {"capability", [](S s, Fielder v) { ContainerOf(s).add_capabilities.push_back(v.Rest()); }},
      {"read-only-root", [](S s, Fielder) { ContainerOf(s).read_only_root = true; }},
      {"host-network", [](S s, Fielder) { ContainerOf(s).host_network = true; }},
      {"host-ipc", [](S s, Fielder) { ContainerOf(s).host_ipc = true; }},
  };
  return takers;
}

}  // namespace

void AppendSpecLine(std::string& out, std::string_view key, std::string_view value) {
  out.append(key).push_back('=');
  // A NUL byte inside would cut the line in two; no argument or variable can have one.
  out.append(value.substr(0, value.find('\0'))).push_back('\0');
}

std::string EncodeSpec(const TaskSpec& spec) {
  Encoder out;
  out.Add("key", Fields(FormatUuid(spec.key.attempt.value), spec.key.rank));
  out.AddText("node", spec.node);
  out.AddText("title", spec.title);
  for (const std::string& word : spec.command) out.Add("command", word);
  for (const std::string& word : spec.args) out.Add("arg", word);
  out.AddText("cwd", spec.working_dir);
  for (const Variable& variable : spec.variables)
    out.Add("variable", Fields(variable.secret ? 1 : 0, variable.name, variable.value));
  for (const Mount& mount : spec.mounts) {
    // A file's content is kept as a file of its own.
    const std::string source = mount.kind == MountKind::kFile ? std::string() : mount.source;
    const int flags = (mount.read_only ? kReadOnly : 0) | (mount.must_exist ? kMustExist : 0);
    out.Add("mount", Fields(static_cast<int>(mount.kind), flags, mount.target, source));
  }
  if (spec.account) AddAccount(out, *spec.account);
  AddResources(out, spec);
  for (std::uint16_t port : spec.ports) out.Add("port", port);
  for (std::int32_t rank : spec.together) out.Add("together", rank);
  if (spec.tty) out.Add("tty", 1);
  if (spec.container) AddContainer(out, *spec.container);
  return out.Take();
}

Result<TaskSpec> DecodeSpec(std::string_view text) {
  const std::string end = fmt::format("{}{}", shim::kSpecEnd, '\0');
  if (!text.ends_with(end)) return Fail(Code::kNotFound, "the spec is not whole");
  TaskSpec spec;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\0'));
    text.remove_prefix(line.size() + 1);
    std::size_t equals = line.find('=');
    auto taker = Takers().find(line.substr(0, equals));
    if (taker != Takers().end()) taker->second(spec, Fielder(line.substr(equals + 1)));
  }
  return spec;
}

}  // namespace yard::engine
