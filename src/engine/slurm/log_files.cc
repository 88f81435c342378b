#include "engine/slurm/log_files.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/slurm/scripts.h"

namespace yard::engine::slurm {

SiteLogFiles::SiteLogFiles(Cluster& cluster, const TaskKey& key) : cluster_(cluster), key_(key) {}

const std::map<std::int64_t, std::int64_t>& SiteLogFiles::Lengths() const {
  if (lengths_) return *lengths_;
  lengths_.emplace();
  Result<Output> output =
      cluster_.site().Run(LogSizesScript(cluster_.layout(), std::span(&key_, 1)));
  if (!output) {
    status_ = Fail(output.error());
    return *lengths_;
  }
  for (std::string_view line : Split(output->out, '\n')) {
    const std::size_t slash = line.find('/');
    const std::size_t space = line.rfind(' ');
    if (slash == std::string_view::npos || space == std::string_view::npos || space < slash)
      continue;
    const auto number = PieceNumber(line.substr(slash + 1, space - slash - 1));
    if (number) (*lengths_)[*number] = ParseInt(line.substr(space + 1)).value_or(0);
  }
  return *lengths_;
}

std::vector<std::int64_t> SiteLogFiles::Pieces() const {
  std::vector<std::int64_t> pieces;
  for (const auto& [number, length] : Lengths()) pieces.push_back(number);
  return pieces;
}

std::int64_t SiteLogFiles::PieceLength(std::int64_t index) const {
  auto found = Lengths().find(index);
  return found == Lengths().end() ? -1 : found->second;
}

std::string SiteLogFiles::Read(const std::string& name, std::int64_t offset,
                               std::size_t limit) const {
  if (const auto number = PieceNumber(name); number && PieceLength(*number) <= offset) return {};
  const std::string path = fmt::format("{}/{}", cluster_.layout().TaskFolder(key_), name);
  Result<Output> output = cluster_.site().Run(ReadScript(path, offset, limit));
  if (output && output->code == 0) return std::move(output->out);
  if (status_)
    status_ = output ? Fail(Code::kUnavailable,
                            fmt::format("cannot read {}: {}", path, Trim(output->err)))
                     : Fail(output.error());
  return {};
}

}  // namespace yard::engine::slurm
