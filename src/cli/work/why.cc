#include "cli/work/why.h"

#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/output.h"
#include "cli/submit/parse.h"

namespace yard::cli {
namespace {

bool IsNever(const json::value& why) {
  return TextAt(why, "never") == "true";
}

// What would help: a command where one is enough, a flag to submit with, else the API's words.
std::string Help(const json::value& alternative) {
  if (std::string command = TextAt(alternative, "command"); !command.empty())
    return "`" + command + "`";
  std::string flags = TextAt(alternative, "flags");
  return flags.empty() ? TextAt(alternative, "change") : "with " + flags;
}

// ", stops run-7 of bob, 5 h 29 m of work".
std::string PriceOf(const json::value& alternative) {
  std::string text;
  const json::value& price = At(alternative, "price");
  if (!price.is_array()) return text;
  for (const json::value& one : price.get_array())
    text += fmt::format("{} {}", text.empty() ? ";" : ",", std::string_view(one.as_string()));
  return text;
}

void AddHelps(const json::value& why, std::string& out) {
  const json::value& items = At(why, "alternatives");
  if (!items.is_array() || items.get_array().empty()) return;
  out += IsNever(why) ? "what would make it possible:\n" : "what would help:\n";
  for (const json::value& item : items.get_array())
    out += fmt::format("  {}: {}{}\n", Help(item), TextAt(item, "outcome"), PriceOf(item));
}

void AddHolders(const json::value& why, std::string& out) {
  const json::value& holders = At(why, "holders");
  if (!holders.is_array() || holders.get_array().empty()) return;
  std::vector<std::string> texts;
  for (const json::value& one : holders.get_array()) {
    std::string name = TextAt(one, "workload");
    texts.push_back(name.empty() ? TextAt(one, "amount")
                                 : fmt::format("{}/{} of {} ({})", TextAt(one, "project"), name,
                                               TextAt(one, "user"), TextAt(one, "amount")));
  }
  out += fmt::format("held by: {}\n", fmt::join(texts, ", "));
}

void AddReasons(const json::value& why, std::string& out) {
  const json::value& further = At(why, "further");
  if (further.is_array()) {
    for (const json::value& item : further.get_array())
      out += fmt::format("  {}\n", std::string_view(item.as_string()));
  }
  const json::value& nodes = At(why, "nodes");
  if (!nodes.is_array()) return;
  for (const json::value& item : nodes.get_array())
    out += fmt::format("  {}: {}\n", TextAt(item, "node"), TextAt(item, "missing"));
}

void AddQueue(const json::value& why, Time now, std::string& out) {
  if (std::string place = TextAt(why, "position"); !place.empty())
    out += fmt::format("position {} in its queue\n", place);
  const json::value& ahead = At(why, "ahead");
  if (ahead.is_array() && !ahead.get_array().empty()) {
    std::vector<std::string> names;
    for (const json::value& one : ahead.get_array()) names.emplace_back(one.as_string());
    out += fmt::format("ahead of it: {}\n", fmt::join(names, ", "));
  }
  if (std::string start = RenderStart(why, now); !start.empty()) {
    std::string basis = TextAt(why, "basis");
    out += fmt::format("starts {}{}\n", start, basis.empty() ? "" : fmt::format(" ({})", basis));
  } else if (std::string none = TextAt(why, "noForecast"); !none.empty() && !IsNever(why)) {
    out += fmt::format("no forecast: {}\n", none);
  }
}

std::string Sentence(const json::value& why) {
  return fmt::format("{} ({})\n", TextAt(why, "message"), TextAt(why, "reason"));
}

}  // namespace

std::string RenderStart(const json::value& why, Time now) {
  std::optional<Time> earliest = ParseRfc3339(TextAt(why, "earliest"));
  std::optional<Time> latest = ParseRfc3339(TextAt(why, "latest"));
  auto span = [now](Time at) { return FormatDuration(at <= now ? Micros(0) : at - now); };
  if (earliest && *earliest <= now && (!latest || *latest <= now)) return "now";
  if (earliest && latest && *earliest != *latest)
    return fmt::format("in {} to {}", span(*earliest), span(*latest));
  if (earliest && latest) return fmt::format("in {}", span(*earliest));
  if (earliest) return fmt::format("in {} or later", span(*earliest));
  if (latest) return fmt::format("within {}", span(*latest));
  return {};
}

std::string RenderWhy(const json::value& why, Time now) {
  std::string out = Sentence(why);
  if (IsNever(why)) out = "It can never run here. " + out;
  AddReasons(why, out);
  AddHolders(why, out);
  AddQueue(why, now, out);
  AddHelps(why, out);
  return out;
}

std::string RenderDryRun(const json::value& why, Time now) {
  if (TextAt(why, "reason") == "StartsNow") return "It would start now. (StartsNow)\n";
  std::string out =
      (IsNever(why) ? "It could never run here. " : "It would wait. ") + Sentence(why);
  AddReasons(why, out);
  AddHolders(why, out);
  AddQueue(why, now, out);
  AddHelps(why, out);
  return out;
}

std::string RenderNever(const json::value& why, const std::string& name) {
  if (!IsNever(why)) return {};
  std::string out =
      fmt::format("warning: {} can never run here. {}\n", name, TextAt(why, "message"));
  const json::value& items = At(why, "alternatives");
  if (items.is_array() && !items.get_array().empty()) {
    const json::value& first = items.get_array().front();
    out += fmt::format("  it could run {}\n", Help(first));
  }
  return out +
         fmt::format("  `gpuyard cancel {0}` takes it back, `gpuyard why {0}` says more", name);
}

}  // namespace yard::cli
