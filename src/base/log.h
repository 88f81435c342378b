// Structured logs: one JSON object per line on standard error.
//
// Thread-safe. spdlog stays behind this header.
#pragma once

#include <initializer_list>
#include <string_view>

namespace yard::log {

enum class Level { kDebug, kInfo, kWarning, kError };

struct Field {
  std::string_view key;
  std::string_view value;
};

void SetLevel(Level level);
// Nothing is logged any more: a simulator runs thousands of faults on purpose.
void SwitchOff();
bool Enabled(Level level);
void Write(Level level, std::string_view message, std::initializer_list<Field> fields = {});

inline void Info(std::string_view message, std::initializer_list<Field> fields = {}) {
  Write(Level::kInfo, message, fields);
}
inline void Warning(std::string_view message, std::initializer_list<Field> fields = {}) {
  Write(Level::kWarning, message, fields);
}
inline void Error(std::string_view message, std::initializer_list<Field> fields = {}) {
  Write(Level::kError, message, fields);
}

}  // namespace yard::log
