#include "cli/top/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/submit/parse.h"
#include "cli/table.h"

namespace yard::cli {
namespace {

constexpr std::string_view kUp = "\x1b[A";
constexpr std::string_view kDown = "\x1b[B";
constexpr std::string_view kPageUp = "\x1b[5~";
constexpr std::string_view kPageDown = "\x1b[6~";
constexpr std::string_view kEscape = "\x1b";
constexpr std::size_t kFrameLines = 4;  // title, header, notice, help

constexpr std::string_view kHelp =
    "j k, arrows    move                 l    logs\n"
    "space, PgDn    a page on            d    show everything\n"
    "PgUp           a page back          w    why it waits\n"
    "g G            first, last          s    a shell inside\n"
    "/              filter: any column   x    cancel, after a question\n"
    "Esc            no filter            a    everybody's work, or yours\n"
    "?              this help            q    quit\n"
    "\n"
    "While you type a filter, Enter keeps it, Esc drops it and Ctrl-U empties it.\n"
    "Ctrl-C quits from everywhere.\n";

std::size_t PageOf(const TopState& state) {
  return state.rows > kFrameLines ? state.rows - kFrameLines : 1;
}

void Step(std::size_t& at, std::ptrdiff_t by, std::size_t count) {
  auto next = static_cast<std::ptrdiff_t>(at) + by;
  auto last = static_cast<std::ptrdiff_t>(count) - 1;
  at = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(next, 0, std::max<std::ptrdiff_t>(last, 0)));
}

// Moves by a key of k9s, vi or the arrows; false: it is not one.
bool Move(std::string_view key, std::size_t& at, std::size_t count, std::size_t page) {
  auto leap = static_cast<std::ptrdiff_t>(page);
  if (key == "j" || key == kDown) {
    Step(at, 1, count);
  } else if (key == "k" || key == kUp) {
    Step(at, -1, count);
  } else if (key == kPageDown || key == " ") {
    Step(at, leap, count);
  } else if (key == kPageUp) {
    Step(at, -leap, count);
  } else if (key == "g") {
    at = 0;
  } else if (key == "G") {
    at = count == 0 ? 0 : count - 1;
  } else {
    return false;
  }
  return true;
}

// One character, of as many bytes as it has.
void DropLast(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

// What a person types, and not a key that does something.
bool IsText(std::string_view key) {
  return !key.starts_with('\x1b') && static_cast<unsigned char>(key[0]) >= ' ';
}

TopOrder TakeFilterKey(TopState& state, std::string_view key) {
  bool arrow = key.starts_with("\x1b[");
  if (arrow) {
    Move(key, state.cursor, Visible(state).size(), PageOf(state));
    return TopOrder::kNone;
  }
  if (key == "\r" || key == "\n" || key == kEscape) {
    if (key == kEscape) state.filter.clear();
    state.pane = TopPane::kList;
  } else if (key == "\x7f" || key == "\b") {
    DropLast(state.filter);
  } else if (key == "\x15") {
    state.filter.clear();
  } else if (IsText(key)) {
    state.filter += key;
  }
  state.cursor = 0;
  return TopOrder::kNone;
}

TopOrder TakeListKey(TopState& state, std::string_view key) {
  if (Move(key, state.cursor, Visible(state).size(), PageOf(state))) return TopOrder::kNone;
  if (key == "q") return TopOrder::kQuit;
  if (key == "?" || key == "h") {
    SetText(state, "help", kHelp);
    return TopOrder::kNone;
  }
  if (key == "a") return TopOrder::kEveryone;
  if (key == "/") {
    state.pane = TopPane::kFilter;
    return TopOrder::kNone;
  }
  if (key == kEscape) state.filter.clear();
  if (Chosen(state) == nullptr) return TopOrder::kNone;
  if (key == "l") return TopOrder::kLogs;
  if (key == "d" || key == "\r") return TopOrder::kShow;
  if (key == "w") return TopOrder::kWhy;
  if (key == "s") return TopOrder::kShell;
  if (key == "x" || key == "\x04") state.pane = TopPane::kConfirm;
  return TopOrder::kNone;
}

// Where the last line of the text stands at the bottom of the screen.
std::size_t LastScroll(const TopState& state) {
  const std::size_t page = PageOf(state);
  return state.text.size() > page ? state.text.size() - page : 0;
}

TopOrder TakeTextKey(TopState& state, std::string_view key) {
  if (key == "q" || key == "?" || key == kEscape) {
    state.pane = TopPane::kList;
  } else {
    Move(key, state.scroll, LastScroll(state) + 1, PageOf(state));
  }
  return TopOrder::kNone;
}

TopOrder TakeConfirmKey(TopState& state, std::string_view key) {
  state.pane = TopPane::kList;
  return key == "y" ? TopOrder::kCancel : TopOrder::kNone;
}

std::string Cut(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t seen = 0;
  for (char c : text) {
    bool starts = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (starts && seen++ == columns) break;
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

std::string Inverse(const std::string& text, std::size_t columns) {
  std::string padded = Cut(text, columns);
  if (padded.size() < columns) padded.append(columns - padded.size(), ' ');
  return "\x1b[7m" + padded + "\x1b[0m";
}

std::string AgeOf(const TopRow& row, Time now) {
  return row.since ? FormatDuration(now - *row.since) : "-";
}

Table TableOf(const std::vector<const TopRow*>& rows, Time now) {
  Table table{.header = {"NAME", "PHASE", "REASON", "GPUS", "AGE", "NODE", "USER", "PROJECT"},
              .rows = {}};
  for (const TopRow* row : rows)
    table.rows.push_back({row->name, row->phase, row->reason, row->gpus, AgeOf(*row, now),
                          row->node, row->user, row->project});
  return table;
}

void AppendList(const TopState& state, std::vector<std::string>& lines) {
  std::vector<const TopRow*> rows = Visible(state);
  std::string text = RenderTable(TableOf(rows, state.now), state.columns, Colour::kNo);
  std::vector<std::string_view> rendered = Split(text, '\n');
  lines.push_back("\x1b[1m" + Cut(rendered[0], state.columns) + "\x1b[0m");
  std::size_t page = PageOf(state);
  // Rows may have gone since the cursor was put there.
  std::size_t cursor = rows.empty() ? 0 : std::min(state.cursor, rows.size() - 1);
  std::size_t first = cursor < page ? 0 : cursor - page + 1;
  for (std::size_t i = first; i < std::min(rows.size(), first + page); ++i) {
    std::string line(rendered[i + 1]);
    lines.push_back(i == cursor ? Inverse(line, state.columns) : Cut(line, state.columns));
  }
  if (!rows.empty()) return;
  lines.push_back(Cut(state.filter.empty() ? "no work; `gpuyard submit` starts some"
                                           : "nothing matches the filter; Esc drops it",
                      state.columns));
}

void AppendText(const TopState& state, std::vector<std::string>& lines) {
  lines.push_back("\x1b[1m" + Cut(state.text_title, state.columns) + "\x1b[0m");
  std::size_t end = std::min(state.text.size(), state.scroll + PageOf(state));
  for (std::size_t i = state.scroll; i < end; ++i)
    lines.push_back(Cut(state.text[i], state.columns));
}

std::string BottomLine(const TopState& state) {
  const TopRow* chosen = Chosen(state);
  switch (state.pane) {
    case TopPane::kFilter:
      return "/" + state.filter + "_";
    case TopPane::kConfirm:
      return fmt::format("cancel {}? y/n", chosen == nullptr ? "" : chosen->name);
    case TopPane::kText:
      return "j/k scroll  g/G ends  q back";
    case TopPane::kList:
      break;
  }
  return "j/k move  / filter  l logs  d show  w why  s shell  x cancel  ? help  q quit";
}

}  // namespace

std::vector<const TopRow*> Visible(const TopState& state) {
  std::vector<const TopRow*> rows;
  for (const TopRow& row : state.view.rows) {
    bool match = state.filter.empty() || ContainsIgnoreCase(row.name, state.filter) ||
                 ContainsIgnoreCase(row.phase, state.filter) ||
                 ContainsIgnoreCase(row.reason, state.filter) ||
                 ContainsIgnoreCase(row.node, state.filter) ||
                 ContainsIgnoreCase(row.user, state.filter) ||
                 ContainsIgnoreCase(row.project, state.filter);
    if (match) rows.push_back(&row);
  }
  return rows;
}

const TopRow* Chosen(const TopState& state) {
  std::vector<const TopRow*> rows = Visible(state);
  return rows.empty() ? nullptr : rows[std::min(state.cursor, rows.size() - 1)];
}

void SetText(TopState& state, std::string title, std::string_view text) {
  state.text_title = std::move(title);
  state.text.clear();
  for (std::string_view line : Split(text, '\n')) state.text.emplace_back(line);
  if (!state.text.empty() && state.text.back().empty()) state.text.pop_back();
  state.text_open = false;
  state.scroll = 0;
  state.pane = TopPane::kText;
}

void AddText(TopState& state, std::string_view bytes) {
  constexpr std::size_t kMost = 5000;
  const bool at_end = state.scroll >= LastScroll(state);
  for (std::string_view line : Split(bytes, '\n')) {
    if (state.text_open && !state.text.empty()) {
      state.text.back() += line;
    } else {
      state.text.emplace_back(line);
    }
    state.text_open = false;
  }
  // What stands behind the last end of a line is a line that goes on, or nothing.
  state.text_open = true;
  if (state.text.back().empty()) {
    state.text.pop_back();
    state.text_open = false;
  }
  if (state.text.size() > kMost) {
    const std::size_t gone = state.text.size() - kMost;
    state.text.erase(state.text.begin(), state.text.begin() + static_cast<std::ptrdiff_t>(gone));
    state.scroll -= std::min(state.scroll, gone);
  }
  if (at_end) state.scroll = LastScroll(state);
}

TopOrder TakeKey(TopState& state, std::string_view key) {
  state.refused.clear();
  if (key == "\x03") return TopOrder::kQuit;
  switch (state.pane) {
    case TopPane::kList:
      return TakeListKey(state, key);
    case TopPane::kText:
      return TakeTextKey(state, key);
    case TopPane::kFilter:
      return TakeFilterKey(state, key);
    case TopPane::kConfirm:
      return TakeConfirmKey(state, key);
  }
  return TopOrder::kNone;
}

std::vector<std::string> TakeKeys(std::string& bytes) {
  std::vector<std::string> keys;
  while (!bytes.empty()) {
    std::size_t length = 1;
    if (bytes.starts_with("\x1b[") || bytes.starts_with("\x1bO")) {
      std::size_t end = 2;
      while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) ++end;
      if (end >= bytes.size()) return keys;
      length = end + 1;
    }
    // A character of several bytes is one key.
    while (length < bytes.size() && (static_cast<unsigned char>(bytes[length]) & 0xc0) == 0x80)
      ++length;
    keys.push_back(bytes.substr(0, length));
    if (keys.back().starts_with("\x1bO")) keys.back()[1] = '[';
    bytes.erase(0, length);
  }
  return keys;
}

std::vector<std::string> RenderTop(const TopState& state) {
  bool filtered = !state.filter.empty() && state.pane == TopPane::kList;
  std::string title = state.view.title;
  if (filtered) title += fmt::format("  filter: {}", state.filter);
  std::vector<std::string> lines = {Cut(title, state.columns)};
  if (state.pane == TopPane::kText) {
    AppendText(state, lines);
  } else {
    AppendList(state, lines);
  }
  while (lines.size() + 2 < state.rows) lines.emplace_back();
  lines.resize(state.rows >= 2 ? state.rows - 2 : 0);
  lines.push_back(Cut(state.refused.empty() ? state.view.notice : state.refused, state.columns));
  lines.push_back(Cut(BottomLine(state), state.columns));
  return lines;
}

}  // namespace yard::cli
