// A line that shows how far a transfer has come, where somebody watches. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "cli/session.h"

namespace yard::cli {

class Progress {
 public:
  // `verb` stands before the numbers: "push images".
  Progress(Session& session, std::string verb, std::uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Add(std::uint64_t bytes) { done_ += bytes; }
  // Draws at most ten times a second. `note` follows the numbers.
  void Show(std::string_view note);
  std::uint64_t done() const { return done_; }

 private:
  Session& session_;
  const std::string verb_;
  const std::uint64_t total_;
  std::uint64_t done_ = 0;
  Time drawn_at_;
  std::size_t drawn_ = 0;  // characters on the line
};

// Pure: "push images  [=====>    ]  52 %  5.2 MiB of 10.0 MiB"
std::string ProgressLine(std::string_view verb, std::uint64_t done, std::uint64_t total);

}  // namespace yard::cli
