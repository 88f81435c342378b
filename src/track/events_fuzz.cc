// Any bytes as an event file, given in two parts as a growing file is; and as a log line.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "track/decode.h"
#include "track/event_file.h"
#include "track/log_line.h"
#include "track/record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  yard::track::EventFileReader reader;
  (void)reader.Read(bytes.substr(0, size / 2));
  yard::track::EventRead read = reader.Read(bytes.substr(reader.offset()));
  if (reader.offset() > size) __builtin_trap();
  std::string written;
  for (const yard::track::Event& event : read.events) yard::track::AppendEvent(written, event);
  // Without the checksums, which a fuzzer does not guess.
  yard::track::PluginOfTag plugins;
  (void)yard::track::DecodeEvent(bytes, plugins);
  (void)yard::track::JsonLineMetrics(bytes);
  return 0;
}
