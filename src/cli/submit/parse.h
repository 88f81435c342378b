// The small texts people write on command lines, read strictly. Pure; kInvalid says what is wrong
// with the text and what is right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/submit/spec.h"

namespace yard::cli {

// "90" is minutes, as Slurm has it; "30s 5m 2h 3d" and sums "1h30m"; "MM:SS", "HH:MM:SS",
// "D-HH", "D-HH:MM:SS".
Result<Micros> ParseDuration(std::string_view text);
// "2h", "1-12:00:00" and so on, or "+2h" and "-30m" when `text` is an addition.
std::string FormatDuration(Micros span);

// "16G", "16GB" (both 10^9), "16Gi", "16GiB"; a bare number counts `unit` ("Mi" for Slurm's --mem,
// "" for bytes). Answers a quantity of the API.
Result<std::string> ParseSize(std::string_view text, std::string_view unit);

// "K=V".
Result<std::pair<std::string, std::string>> ParseAssignment(std::string_view text);

// "a=1,b=2,flag": a word without "=" is {word, ""}.
std::vector<std::pair<std::string, std::string>> ParseCsv(std::string_view text);

// Devices and how much of each.
struct GpuAmount {
  std::int64_t devices = 0;
  std::optional<double> portion;  // absent: whole
};
// "2", "0.5", "0"; 1.5 is refused. Slurm's "type:2" is refused with a hint to --pool.
Result<GpuAmount> ParseGpus(std::string_view text);

struct IndexList {
  std::vector<std::int64_t> indices;
  std::int64_t throttle = 0;  // how many at once; 0: all
};
// Slurm's: "0-9", "1,3,7", "0-20:5", each with "%2".
Result<IndexList> ParseIndices(std::string_view text);
// The same back: "0-3,7%2".
std::string FormatIndices(const IndexList& list);

// "lr=0.1,0.2".
struct Parameter {
  std::string name;
  std::vector<std::string> values;
};
Result<Parameter> ParseParameter(std::string_view text);

// "SRC:DST[:ro]", the source a folder of the node.
Result<Item> ParseHostMount(std::string_view text);
// Run:ai's: "NAME:PATH[:ro]", or "[CLASS]:SIZE:PATH[:ro]" for a new one.
Result<Item> ParsePvc(std::string_view text);
// "NAME[:TAG][:DST]", with or without "data:" before it.
Result<Item> ParseDataSet(std::string_view text);

// "NAME[:TAG][=PATH]"
Result<Item> ParseSave(std::string_view text);

// "NAME", "ok:NAME", "any:NAME", "fail:NAME".
Result<Item> ParseAfter(std::string_view text);
// Slurm's: "afterok:A:B,afterany:C".
Result<std::vector<Item>> ParseDependency(std::string_view text);

// "preempted,node-lost,29" into the causes' names and exit codes.
struct RetryCauses {
  std::vector<std::string> causes;
  std::vector<std::int64_t> exit_codes;
};
Result<RetryCauses> ParseRetryOn(std::string_view text);

}  // namespace yard::cli
