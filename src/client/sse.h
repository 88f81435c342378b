// Reads a stream of server-sent events, fed in pieces of any size. One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yard::client {

struct Event {
  std::string id;    // of the last event that had one
  std::string type;  // "message" unless the server says otherwise
  std::string text;  // the data lines, joined by line breaks
};

class EventParser {
 public:
  // The events that `piece` completes.
  std::vector<Event> Feed(std::string_view piece);

 private:
  std::optional<Event> TakeLine(std::string_view line);

  std::string rest_;
  Event next_;
  bool has_text_ = false;
};

}  // namespace yard::client
