#include "track/event_file.h"

#include <utility>

#include <fmt/format.h>

#include "track/decode.h"
#include "track/record.h"

namespace yard::track {

EventRead EventFileReader::Read(std::string_view bytes, std::size_t most) {
  EventRead read;
  while (!damage_ && read.events.size() < most) {
    Record record = ReadRecord(bytes.substr(read.used));
    if (record.state == RecordState::kPartial) {
      read.needed = record.size;
      return read;
    }
    std::optional<Event> event;
    if (record.state == RecordState::kWhole) event = DecodeEvent(record.payload, plugin_of_tag_);
    if (!event) {
      damage_ = fmt::format("the record at byte {} is damaged; what follows is not read", offset_);
      return read;
    }
    read.used += record.size;
    offset_ += record.size;
    if (!event->values.empty() || event->restarts) read.events.push_back(std::move(*event));
  }
  return read;
}

}  // namespace yard::track
