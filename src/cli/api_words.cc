#include "cli/api_words.h"

#include <span>
#include <utility>

#include <fmt/format.h>

namespace yard::cli {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Longer names stand before those they begin with.
constexpr Pair kFlags[] = {
    {"spec.compute.gpuDevicesRequest", "--gpu"},
    {"spec.compute.gpuPortionRequest", "--gpu-part"},
    {"spec.compute.gpuMemoryRequest", "--gpu-memory"},
    {"spec.compute.gpuPortionLimit", "--gpu-limit"},
    {"spec.compute.gpuMemoryLimit", "--gpu-limit"},
    {"spec.compute.gpuCompute", "--gpu-compute"},
    {"spec.compute.cpuCoreRequest", "--cpu"},
    {"spec.compute.cpuMemoryRequest", "--mem"},
    {"spec.terminationGracePeriodSeconds", "--grace"},
    {"spec.environmentVariables", "--env"},
    {"spec.timeLimitSeconds", "--time"},
    {"spec.imagePullPolicy", "--pull"},
    {"spec.priorityClass", "--priority"},
    {"spec.nodePools", "--pool"},
    {"spec.logLimit", "--log-limit"},
    {"spec.dependsOn", "--after"},
    {"spec.workingDir", "--workdir"},
    {"spec.nodeType", "--node-type"},
    {"spec.stopAt", "--stop-at"},
    {"spec.image", "--image"},
    {"spec.retry", "--retry"},
    {"spec.command", "the command"},
    {"spec.args", "the arguments"},
    {"projectId", "--project"},
};

// The same of the other program, whose first grammar has one flag for whole GPUs and parts.
constexpr Pair kRunaiFlags[] = {
    {"spec.compute.gpuDevicesRequest", "--gpu"},
    {"spec.compute.gpuPortionRequest", "--gpu"},
    {"spec.compute.gpuMemoryRequest", "--gpu-memory"},
    {"spec.compute.gpuPortionLimit", "--gpu-portion-limit"},
    {"spec.compute.gpuMemoryLimit", "--gpu-memory-limit"},
    {"spec.compute.cpuCoreRequest", "--cpu"},
    {"spec.compute.cpuCoreLimit", "--cpu-limit"},
    {"spec.compute.cpuMemoryRequest", "--memory"},
    {"spec.compute.cpuMemoryLimit", "--memory-limit"},
    {"spec.terminationGracePeriodSeconds", "--grace-period"},
    {"spec.environmentVariables", "--environment"},
    {"spec.imagePullPolicy", "--image-pull-policy"},
    {"spec.priorityClass", "--priority"},
    {"spec.nodePools", "--node-pools"},
    {"spec.workingDir", "--working-dir"},
    {"spec.backoffLimit", "--backoff-limit"},
    {"spec.nodeType", "--node-type"},
    {"spec.image", "--image"},
    {"spec.command", "the command"},
    {"spec.args", "the arguments"},
    {"projectId", "--project"},
};

constexpr Pair kRoutes[] = {
    {"/node-pools", "`gpuyard get node-pools`"},
    {"/org-unit/projects", "`gpuyard get projects`"},
    {"/org-unit/departments", "`gpuyard get departments`"},
    {"/authorization/roles", "`gpuyard get roles`"},
    {"/authorization/access-rules", "`gpuyard get access-rules`"},
    {"/asset/", "`gpuyard get environments` and the other assets"},
    {"/workloads", "`gpuyard ps -a`"},
    {"/clusters", "`gpuyard get clusters`"},
    {"/users", "`gpuyard get users`"},
    {"/apps", "`gpuyard get apps`"},
    {"/nodes", "`gpuyard nodes`"},
};

constexpr Pair kSentences[] = {
    {"choose another name, delete the other one, or set useGivenNameAsPrefix",
     "choose another name, or delete the other one first"},
};

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
}

std::span<const Pair> TableOf(Flags flags) {
  if (flags == Flags::kRunai) return kRunaiFlags;
  return kFlags;
}

void ReplaceFields(std::string& text, Flags flags) {
  for (const auto& [field, flag] : TableOf(flags)) {
    for (std::size_t at = text.find(field); at != text.npos; at = text.find(field, at + 1)) {
      std::size_t end = at + field.size();
      bool whole =
          (at == 0 || !IsNamePart(text[at - 1])) && (end == text.size() || !IsNamePart(text[end]));
      if (whole) text.replace(at, field.size(), flag);
    }
  }
}

// What stands for "GET /api/v1/…"; empty if no verb does the same.
std::string_view VerbFor(std::string_view route) {
  for (const auto& [part, verb] : kRoutes) {
    if (route.contains(part)) return verb;
  }
  return {};
}

}  // namespace

std::string WithFlags(std::string_view sentence, Flags flags) {
  std::string text(sentence);
  ReplaceFields(text, flags);
  return text;
}

std::string InOurWords(std::string_view sentence, Flags flags) {
  for (const auto& [theirs, ours] : kSentences) {
    if (sentence == theirs) return std::string(ours);
  }
  std::string text = WithFlags(sentence, flags);
  std::size_t path = text.find("/api/");
  if (path == text.npos) return text;
  std::size_t end = text.find_first_of(" ,;)", path);
  std::string_view verb = VerbFor(std::string_view(text).substr(path, end - path));
  return verb.empty() ? std::string() : fmt::format("see {}", verb);
}

}  // namespace yard::cli
