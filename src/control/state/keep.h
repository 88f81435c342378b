// How much ended work each project keeps: by age, by number and by bytes on disk.
//
// A plain value, read once from the server's settings. Immutable; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace yard::control {

struct Keep {
  Micros age = Days(30);  // since its end, unless the work names a time of its own
  std::int64_t workloads = 1'000'000;
  std::int64_t bytes = std::int64_t{2} << 30;  // of packed records; logs and outputs do not count
};

struct KeepRules {
  Keep usual;
  std::map<std::string, Keep, std::less<>> of_project;

  const Keep& Of(std::string_view project) const;
};

// Each text is a number and perhaps others for single projects: "30,PROJECT=365".
struct KeepTexts {
  std::string_view days;
  std::string_view workloads;
  std::string_view mebibytes;
};
// kInvalid names the part that is no number from 1 on.
Result<KeepRules> ParseKeepRules(const KeepTexts& texts);

}  // namespace yard::control
