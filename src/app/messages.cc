#include "app/messages.h"

#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/strings.h"
#include "serve/live/log_place.h"

namespace yard::app {
namespace {

std::string DefaultSender() {
  std::array<char, 256> name{};
  bool known = gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0';
  return fmt::format("gpuyard@{}", known ? name.data() : "localhost");
}

Result<std::string> ReadPassword(const std::string& path) {
  if (path.empty()) return "";
  std::ifstream file(path);
  if (!file) {
    return Fail(Code::kInvalid, fmt::format("notify-smtp-password-file: {} cannot be read", path),
                "it must be there and readable by the server's account");
  }
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return std::string(Trim(text));
}

notify::PrivateTargets PrivateTargetsOf(const std::string& choice) {
  if (choice == "allow") return notify::PrivateTargets::kEverybody;
  if (choice == "deny") return notify::PrivateTargets::kNobody;
  return notify::PrivateTargets::kAdministrators;
}

}  // namespace

Result<notify::CourierOptions> CourierOptionsOf(const Settings& settings, std::string url) {
  notify::CourierOptions options{
      .smtp_url = settings.Text("notify-smtp-url"),
      .smtp_user = settings.Text("notify-smtp-user"),
      .from = settings.Text("notify-from"),
      .link = settings.Text("public-url"),
      .ca_file = settings.Text("notify-ca-file"),
      .private_targets = PrivateTargetsOf(settings.Text("notify-private-targets"))};
  YARD_ASSIGN(options.smtp_password, ReadPassword(settings.Text("notify-smtp-password-file")));
  if (options.from.empty()) options.from = DefaultSender();
  if (options.link.empty()) options.link = std::move(url);
  while (options.link.ends_with('/')) options.link.pop_back();
  return options;
}

std::string LastLines(control::Live& live, WorkloadId workload, Time now) {
  constexpr std::int64_t kLines = 20;
  constexpr std::size_t kMostBytes = 8192;
  const control::TaskChoice task{.workload = workload};
  Result<std::int64_t> from = serve::TailOffset(live, task, kLines, now);
  if (!from) return {};
  Result<engine::LogChunk> chunk = live.ReadLog(task, *from, kMostBytes);
  if (!chunk) return {};
  std::string text = chunk->bytes;
  // A mail is plain text: what moves a terminal's cursor says nothing there.
  std::erase_if(text,
                [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; });
  return std::string(Trim(text));
}

}  // namespace yard::app
