// Reports out of the log of a trial.
//
// Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/study/engine.h"
#include "model/study.h"
#include "track/log_line.h"

namespace yard::control {

// Whether the text may go on in the middle of its last line.
enum class LogTail { kMayGrow, kWhole };

struct LogScan {
  std::vector<TrialValues> reports;
  std::size_t consumed = 0;  // bytes; what follows is the beginning of a line
};

class LogScanner {
 public:
  // kInvalid says what is wrong with the pattern.
  static Result<LogScanner> Make(const StudySpec& spec);
  LogScan Scan(std::string_view text, LogTail tail) const;

 private:
  std::optional<TrialValues> ReadLine(std::string_view line) const;

  std::vector<std::string> metrics_;  // by objective
  std::optional<track::LinePattern> pattern_;
};

// The values of the objectives among named ones; nothing if there is none.
std::optional<TrialValues> ValuesOf(const std::vector<std::string>& metrics,
                                    const track::LineMetrics& line);

}  // namespace yard::control
