#include "engine/local/containers/pull.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "engine/local/containers/fields.h"

namespace yard::engine::containers {
namespace {

constexpr std::size_t kLineLimit = 1 << 20;

bool IsComplete(std::string_view status) {
  return status == "Download complete" || status == "Pull complete" || status == "Already exists" ||
         status == "Extracting" || status == "Verifying Checksum";
}

}  // namespace

void PullProgress::Feed(std::string_view bytes) {
  pending_ += bytes;
  for (std::size_t end; (end = pending_.find('\n')) != std::string::npos;) {
    TakeLine(Trim(std::string_view(pending_).substr(0, end)));
    pending_.erase(0, end + 1);
  }
  if (pending_.size() > kLineLimit) pending_.clear();
}

void PullProgress::TakeLine(std::string_view line) {
  if (line.empty()) return;
  Result<json::value> parsed = ParseJson(line);
  if (!parsed) return;
  std::string failure = Text(*parsed, "error");
  if (failure.empty()) failure = Text(*parsed, "errorDetail.message");
  if (!failure.empty()) failure_ = failure;
  std::string id = Text(*parsed, "id");
  if (!id.empty()) TakeLayer(id, *parsed);
}

void PullProgress::TakeLayer(const std::string& id, const json::value& line) {
  std::string status = Text(line, "status");
  Layer& layer = layers_[id];
  if (IsComplete(status)) {
    layer.current = layer.total;
  } else if (Number(line, "progressDetail.total") > 0) {
    layer.total = Number(line, "progressDetail.total");
    layer.current =
        std::clamp<std::int64_t>(Number(line, "progressDetail.current"), 0, layer.total);
  }
  std::int64_t current = 0;
  std::int64_t total = 0;
  for (const auto& [name, each] : layers_) {
    current += each.current;
    total += each.total;
  }
  if (total > 0) percent_ = std::max(percent_, current * 100 / total);
}

std::string PullProgress::Sentence() const {
  if (percent_ < 0) return fmt::format("pulling image {}", image_);
  return fmt::format("pulling image {}: {} %", image_, percent_);
}

}  // namespace yard::engine::containers
