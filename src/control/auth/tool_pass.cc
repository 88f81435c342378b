#include "control/auth/tool_pass.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {
namespace {

constexpr std::string_view kPrefix = "gyp1.";
constexpr std::size_t kMaxPass = 1024;
constexpr std::size_t kFields = 6;

std::string_view NameOf(ToolPass::Kind kind) {
  return kind == ToolPass::Kind::kCode ? "code" : "ticket";
}

std::unexpected<Error> NotOurs() {
  return Fail(Code::kUnauthorized, "this does not open the tool",
              "open the tool from its workload's page in the dashboard");
}

}  // namespace

std::string IssueToolPass(const TokenKey& key, const ToolPass& pass) {
  std::string payload =
      fmt::format("{} {} {} {} {} {}", NameOf(pass.kind), FormatUuid(pass.user), pass.epoch,
                  FormatUuid(pass.workload), pass.number, pass.expires_at.micros);
  std::string text = std::string(kPrefix) + EncodeBase64Url(payload);
  return text + "." + EncodeBase64Url(key.Sign(text));
}

Result<ToolPass> VerifyToolPass(const TokenKey& key, ToolPass::Kind kind, std::string_view text,
                                Time now) {
  std::size_t dot = text.rfind('.');
  if (text.size() > kMaxPass || !text.starts_with(kPrefix) || dot < kPrefix.size())
    return NotOurs();
  YARD_ASSIGN(std::string signature, DecodeBase64Url(text.substr(dot + 1)));
  if (!key.Verify(text.substr(0, dot), signature)) return NotOurs();
  YARD_ASSIGN(std::string payload,
              DecodeBase64Url(text.substr(kPrefix.size(), dot - kPrefix.size())));
  std::vector<std::string_view> fields = Split(payload, ' ');
  if (fields.size() != kFields || fields[0] != NameOf(kind)) return NotOurs();
  std::optional<Uuid> user = ParseUuid(fields[1]);
  std::optional<std::int64_t> epoch = ParseInt(fields[2]);
  std::optional<Uuid> workload = ParseUuid(fields[3]);
  std::optional<std::int64_t> number = ParseInt(fields[4]);
  std::optional<std::int64_t> expires = ParseInt(fields[5]);
  if (!user || !epoch || !workload || !number || !expires) return NotOurs();
  if (now >= Time{*expires}) return NotOurs();
  return ToolPass{.kind = kind,
                  .user = *user,
                  .epoch = *epoch,
                  .workload = *workload,
                  .number = static_cast<std::uint64_t>(*number),
                  .expires_at = Time{*expires}};
}

}  // namespace yard::control
