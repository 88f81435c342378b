#include "client/sse.h"

#include <utility>

namespace yard::client {

std::vector<Event> EventParser::Feed(std::string_view piece) {
  rest_ += piece;
  std::vector<Event> events;
  std::size_t start = 0;
  for (std::size_t end = rest_.find('\n'); end != std::string::npos;
       end = rest_.find('\n', start)) {
    std::string_view line = std::string_view(rest_).substr(start, end - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (std::optional<Event> event = TakeLine(line)) events.push_back(*std::move(event));
    start = end + 1;
  }
  rest_.erase(0, start);
  return events;
}

std::optional<Event> EventParser::TakeLine(std::string_view line) {
  if (line.empty()) {
    if (!std::exchange(has_text_, false)) return std::nullopt;
    Event done = next_;
    if (done.type.empty()) done.type = "message";
    next_ = Event{.id = std::move(next_.id), .type = {}, .text = {}};
    return done;
  }
  std::size_t colon = line.find(':');
  std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    if (std::exchange(has_text_, true)) next_.text += '\n';
    next_.text += value;
  } else if (field == "event") {
    next_.type = value;
  } else if (field == "id") {
    next_.id = value;
  }
  return std::nullopt;
}

}  // namespace yard::client
