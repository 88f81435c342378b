#include "notify/message.h"

#include <sodium.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wire/enums.h"
#include "wire/writer.h"

namespace yard::notify {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

std::string_view VerbOf(NotifyEvent event) {
  switch (event) {
    case NotifyEvent::kRunning:
      return "has started";
    case NotifyEvent::kCompleted:
      return "has completed";
    case NotifyEvent::kFailed:
      return "has failed";
    case NotifyEvent::kPreempted:
      return "was preempted";
    case NotifyEvent::kEndedByOther:
      return "was stopped by somebody else";
    case NotifyEvent::kIdleWarning:
      return "is idle";
    case NotifyEvent::kTimeLimitNear:
      return "comes close to its time limit";
    case NotifyEvent::kWaitingLong:
      return "waits for long";
    case NotifyEvent::kTest:
      return "";
  }
  return "";
}

std::string LinkOf(const Delivery& delivery, std::string_view link) {
  if (link.empty() || !delivery.workload) return std::string(link);
  return fmt::format("{}/workloads/{}", link, FormatUuid(delivery.workload->value));
}

// The sentences below the subject, one a line.
std::string BodyOf(const Delivery& delivery, std::string_view link) {
  std::string text;
  auto add = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) text += fmt::format("{}{}\n", label, value);
  };
  add("", delivery.message);
  add("Reason: ", delivery.reason);
  add("Project: ", delivery.project_name);
  add("Owner: ", delivery.user_name);
  add("Ran: ", delivery.ran);
  add("At: ", FormatRfc3339(delivery.at));
  if (delivery.left_out > 0) {
    text += fmt::format("{} further events are left out: too many messages wait to be sent.\n",
                        delivery.left_out);
  }
  add("", LinkOf(delivery, link));
  if (!delivery.last_lines.empty())
    text += fmt::format("\nThe last lines of its log:\n{}\n", delivery.last_lines);
  return text;
}

// Slack reads these three characters, and no others, once its markup is off.
std::string SlackText(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string Base64(std::string_view bytes) {
  std::string out(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  out.resize(out.size() - 1);  // the closing NUL
  return out;
}

// "Sun, 15 Nov 2026 13:00:00 +0000"
std::string MailDate(Time at) {
  constexpr std::array<std::string_view, 7> kDays{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::int64_t seconds = at.micros / 1'000'000;
  std::string text = FormatRfc3339(Time{seconds * 1'000'000});  // 2026-11-15T13:00:00Z
  auto month = static_cast<std::size_t>((text[5] - '0') * 10 + (text[6] - '0') - 1);
  return fmt::format("{}, {} {} {} {} +0000", kDays[static_cast<std::size_t>(seconds / 86400 % 7)],
                     text.substr(8, 2), kMonths.at(month), text.substr(0, 4), text.substr(11, 8));
}

}  // namespace

std::string SubjectOf(const Delivery& delivery) {
  if (delivery.event == NotifyEvent::kTest) return "A test of notifications";
  return fmt::format("{} {}", delivery.workload_name, VerbOf(delivery.event));
}

std::string WebhookBody(const Delivery& delivery, std::string_view link) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("id", delivery.id);
  w("event", delivery.event);
  w("at", delivery.at);
  w("subject", SubjectOf(delivery));
  w("reason", delivery.reason);
  w("message", delivery.message);
  w.Key("workload");
  if (delivery.workload) {
    w.Begin();
    w("id", *delivery.workload);
    w("name", delivery.workload_name);
    w("projectName", delivery.project_name);
    w("userName", delivery.user_name);
    w.End();
  } else {
    w.Null();
  }
  w("link", LinkOf(delivery, link));
  w("leftOut", delivery.left_out);
  w.End();
  return out;
}

std::string SlackBody(const Delivery& delivery, std::string_view link) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("text", SlackText(SubjectOf(delivery) + "\n" + BodyOf(delivery, link)));
  w("mrkdwn", false);
  w.End();
  return out;
}

std::string HeaderWord(std::string_view text) {
  constexpr std::size_t kMost = 40;  // bytes, so that a word fits the 75 characters it may have
  bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  if (plain && text.size() <= 2 * kMost && !text.contains("=?")) return std::string(text);
  std::string out;
  while (!text.empty()) {
    std::size_t cut = std::min(kMost, text.size());
    while (cut < text.size() && cut > 1 && (text[cut] & 0xc0) == 0x80) --cut;
    out += fmt::format("{}=?UTF-8?B?{}?=", out.empty() ? "" : "\r\n ", Base64(text.substr(0, cut)));
    text.remove_prefix(cut);
  }
  return out;
}

std::string MailText(const Delivery& delivery, std::string_view link, const Mail& mail) {
  std::string text;
  auto header = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{}: {}{}", name, value, kLineEnd);
  };
  std::string id = FormatUuid(delivery.id.value);
  std::size_t at = mail.from.rfind('@');
  std::string_view domain =
      at == std::string::npos ? "gpuyard.local" : std::string_view(mail.from).substr(at + 1);
  header("From", fmt::format("Gpuyard <{}>", mail.from));
  header("To", fmt::format("<{}>", mail.to));
  header("Subject", HeaderWord("[Gpuyard] " + SubjectOf(delivery)));
  header("Date", MailDate(mail.now));
  header("Message-ID", fmt::format("<{}@{}>", id, domain));
  header("Auto-Submitted", "auto-generated");
  header("MIME-Version", "1.0");
  header("Content-Type", "text/plain; charset=utf-8");
  header("Content-Transfer-Encoding", "base64");
  text += kLineEnd;
  std::string body = Base64(BodyOf(delivery, link));
  for (std::size_t begin = 0; begin < body.size(); begin += 76) {
    text += body.substr(begin, 76);
    text += kLineEnd;
  }
  return text;
}

}  // namespace yard::notify
