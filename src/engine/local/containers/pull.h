// How far a pull is, from the lines a daemon streams while it fetches an image. Pure; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace yard::engine::containers {

class PullProgress {
 public:
  explicit PullProgress(std::string image) : image_(std::move(image)) {}

  // The next bytes of the stream.
  void Feed(std::string_view bytes);

  // "pulling image a/b:1: 40 %". The number never goes back, although a daemon learns the size of
  // a layer only when it starts to fetch it.
  std::string Sentence() const;

  // Daemons report a failed pull inside a stream that began well. Their own words; empty if none.
  const std::string& failure() const { return failure_; }

 private:
  struct Layer {
    std::int64_t current = 0;
    std::int64_t total = 0;
  };

  void TakeLine(std::string_view line);
  void TakeLayer(const std::string& id, const json::value& line);

  std::string image_;
  std::string pending_;  // the beginning of a line whose end has not come
  std::map<std::string, Layer> layers_;
  std::int64_t percent_ = -1;  // -1: no size is known yet
  std::string failure_;
};

}  // namespace yard::engine::containers
