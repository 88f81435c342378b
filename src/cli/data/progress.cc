#include "cli/data/progress.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "cli/data/chunk_server.h"

namespace yard::cli {
namespace {

constexpr Micros kBetween{100'000};
constexpr std::size_t kBar = 24;

}  // namespace

std::string ProgressLine(std::string_view verb, std::uint64_t done, std::uint64_t total) {
  const std::uint64_t most = std::max<std::uint64_t>(total, 1);
  const std::uint64_t percent = std::min<std::uint64_t>(total == 0 ? 100 : done * 100 / most, 100);
  const std::size_t filled = kBar * percent / 100;
  return fmt::format("{}  [{}{}]  {:3} %  {} of {}", verb, std::string(filled, '='),
                     std::string(kBar - filled, ' '), percent, BytesText(done), BytesText(total));
}

Progress::Progress(Session& session, std::string verb, std::uint64_t total)
    : session_(session), verb_(std::move(verb)), total_(total) {}

Progress::~Progress() {
  if (drawn_ > 0) session_.console().err << '\r' << std::string(drawn_, ' ') << '\r' << std::flush;
}

void Progress::Show(std::string_view note) {
  if (!session_.console().interactive) return;
  const Time now = session_.around().clock.Now();
  if (drawn_ > 0 && now - drawn_at_ < kBetween && now >= drawn_at_) return;
  drawn_at_ = now;
  std::string line = ProgressLine(verb_, done_, total_);
  if (!note.empty()) line += fmt::format("  {}", note);
  const std::size_t size = line.size();
  if (size < drawn_) line.append(drawn_ - size, ' ');
  drawn_ = size;
  session_.console().err << '\r' << line << std::flush;
}

}  // namespace yard::cli
