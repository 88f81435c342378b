// The full-screen view as a value: what is shown, where the cursor is, what a key does. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"

namespace yard::cli {

// One row, ready to be shown.
struct TopRow {
  std::string id;
  std::string name;
  std::string phase;
  std::string reason;
  std::string gpus;
  std::optional<Time> since;  // for its age
  std::string node;
  std::string user;
  std::string project;
};

struct TopView {
  std::vector<TopRow> rows;
  std::string title;   // "gpuyard  ann@lab  8 GPUs, 3 free"
  std::string notice;  // why the server cannot be reached
};

enum class TopPane { kList, kText, kFilter, kConfirm };

struct TopState {
  TopView view;
  Time now;             // ages are counted up to it
  std::string refused;  // what became of the last order, until the next key
  TopPane pane = TopPane::kList;
  std::size_t cursor = 0;  // in the rows that the filter lets through
  std::size_t scroll = 0;  // of the text pane, in lines
  std::string filter;
  std::string text_title;
  std::vector<std::string> text;  // of the text pane
  bool text_open = false;         // its last line goes on
  std::size_t rows = 24;
  std::size_t columns = 80;
};

enum class TopOrder { kNone, kQuit, kLogs, kShow, kWhy, kShell, kCancel, kEveryone };

// A key changes the state, and may ask for something that needs the server.
TopOrder TakeKey(TopState& state, std::string_view key);

// The rows the filter lets through.
std::vector<const TopRow*> Visible(const TopState& state);
const TopRow* Chosen(const TopState& state);
void SetText(TopState& state, std::string title, std::string_view text);
// Adds to the text pane, and stays at its end if that was on the screen. Old lines go.
void AddText(TopState& state, std::string_view bytes);

// Keys out of what a terminal sends: "j", "\x1b[A"; what is incomplete stays in `bytes`.
std::vector<std::string> TakeKeys(std::string& bytes);

// The whole screen, `rows` lines of at most `columns` characters.
std::vector<std::string> RenderTop(const TopState& state);

}  // namespace yard::cli
