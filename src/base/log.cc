#include "base/log.h"

#include <memory>
#include <string>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/json.h"
#include "base/time.h"

namespace yard::log {
namespace {

spdlog::level::level_enum ToSpdlog(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

std::string_view Name(Level level) {
  switch (level) {
    case Level::kDebug:
      return "debug";
    case Level::kInfo:
      return "info";
    case Level::kWarning:
      return "warning";
    case Level::kError:
      return "error";
  }
  return "error";
}

spdlog::logger& Sink() {
  static const std::shared_ptr<spdlog::logger> sink = [] {
    auto logger = std::make_shared<spdlog::logger>(
        "gpuyard", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%v");
    return logger;
  }();
  return *sink;
}

}  // namespace

void SetLevel(Level level) {
  Sink().set_level(ToSpdlog(level));
}

void SwitchOff() {
  Sink().set_level(spdlog::level::off);
}

bool Enabled(Level level) {
  return Sink().should_log(ToSpdlog(level));
}

void Write(Level level, std::string_view message, std::initializer_list<Field> fields) {
  if (!Enabled(level)) return;
  std::string line = "{\"time\":";
  AppendJsonString(line, FormatRfc3339(SystemClock().Now()));
  line += ",\"level\":";
  AppendJsonString(line, Name(level));
  line += ",\"message\":";
  AppendJsonString(line, message);
  for (const Field& field : fields) {
    line += ',';
    AppendJsonString(line, field.key);
    line += ':';
    AppendJsonString(line, field.value);
  }
  line += '}';
  Sink().log(ToSpdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace yard::log
