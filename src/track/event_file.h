// Reads an event file while it grows, and writes one.
//
// A reader is given the bytes from its offset on, takes whole records, and says how many bytes it
// used. What is left is the beginning of a record that is still being written: it is given again
// with more. Several files of one folder are several readers, in the order of their names.
// Pure. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "track/event.h"

namespace yard::track {

struct EventRead {
  std::vector<Event> events;
  std::uint64_t used = 0;    // of the given bytes
  std::uint64_t needed = 0;  // the next record takes at least so many; 0 if that is not known
};

class EventFileReader {
 public:
  // `bytes` begin at offset(). At most `most` events, so that a large file is read in parts.
  EventRead Read(std::string_view bytes, std::size_t most = SIZE_MAX);

  std::uint64_t offset() const { return offset_; }
  // Goes on at an offset that an earlier reader reached.
  void Resume(std::uint64_t offset) { offset_ = offset; }
  // In words, once a checksum was wrong: nothing after it is read.
  const std::optional<std::string>& damage() const { return damage_; }

 private:
  std::uint64_t offset_ = 0;
  std::optional<std::string> damage_;
  // Writers name the plugin of a tag only once.
  std::map<std::string, std::string, std::less<>> plugin_of_tag_;
};

// The first record of a file.
void AppendFileVersion(std::string& out, Time time);
// Scalars (as 32-bit floats), histograms, images, texts and hyperparameters; others are left out.
void AppendEvent(std::string& out, const Event& event);

}  // namespace yard::track
