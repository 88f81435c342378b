// Metrics out of a program's standard output, without a module in the program.
//
// A line is either one JSON object ({"step":1,"loss":0.3}, also with bare NaN and Infinity, which
// Python prints) or it fits a pattern that the user gave ("step {step} loss={loss}"). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace yard::track {

struct LineMetrics {
  std::optional<std::int64_t> step;
  std::optional<Time> time;
  std::vector<std::pair<std::string, double>> values;  // in the order of the line
};

// Nothing if the line is not an object with at least one number. Objects within objects join their
// names with '/'; true and false are 1 and 0; texts and lists are passed over. The step is the
// number named step, _step, global_step or iteration, the time (in seconds) the one named time,
// _timestamp, timestamp or wall_time.
std::optional<LineMetrics> JsonLineMetrics(std::string_view line);

// A pattern of literal text and {names}, each of which stands for a number; {*} stands for any
// text. Blanks stand for any number of blanks. {step} and {time} are the step and the time.
class LinePattern {
 public:
  // kInvalid says what is wrong with the text.
  static Result<LinePattern> Parse(std::string_view text);

  // The first place in the line where the whole pattern fits; nothing if there is none.
  std::optional<LineMetrics> Match(std::string_view line) const;

 private:
  enum class Kind { kText, kBlank, kNumber, kAny };
  struct Part {
    Kind kind = Kind::kText;
    std::string text;  // the literal, or the name of a number
  };

  // Adds the characters that it looked at to `work`.
  bool MatchAt(std::string_view line, LineMetrics& metrics, std::size_t& work) const;

  std::vector<Part> parts_;
};

}  // namespace yard::track
