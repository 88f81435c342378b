// Run:ai's submit flags as data: where each goes in the spec and how its text is read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/submit/submission.h"
#include "cli/verb.h"

namespace yard::cli::runai {

enum class Reads {
  kText,
  kNumber,    // 0.5
  kCount,     // a whole number
  kFlag,      // no value
  kSize,      // 16G; a bare number is bytes
  kList,      // a,b; a further one adds to it
  kSpan,      // 1h30m: seconds
  kLabel,     // K=V, appended
  kVariable,  // K=V, of the task's environment
  kRefused,   // known, and not taken: the error says what to do instead
};

struct SpecFlag {
  std::string_view flags;  // "-i,--image"
  std::string_view path;   // in the spec
  Reads reads;
  std::string_view help;
};

// Flags of the form key=value,key=value: each key is a field of one object of a list.
struct CsvKey {
  std::string_view key;
  std::string_view field;
  Reads reads = Reads::kText;
};
struct CsvFlag {
  std::string_view flags;
  std::string_view path;  // of the list
  std::span<const CsvKey> keys;
  std::string_view help;
};

// Those of both grammars, those of the first, those of the second.
std::span<const SpecFlag> CommonFlags();
std::span<const SpecFlag> OldFlags();
std::span<const SpecFlag> NewFlags();
std::span<const SpecFlag> DistributedFlags();
// Written into the master's own spec.
std::span<const SpecFlag> MasterFlags();
std::span<const CsvFlag> OldCsvFlags();
std::span<const CsvFlag> NewCsvFlags();

void AddSpecFlags(Verb& verb, std::span<const SpecFlag> flags, Spec& spec);
void AddCsvFlags(Verb& verb, std::span<const CsvFlag> flags, Spec& spec);

// Pure: sets one field from its text.
Status SetField(Spec& spec, const SpecFlag& flag, const std::string& text);
// Pure: one object from "key=value,…"; an unknown key is refused with the nearest.
Result<Item> ReadItem(const CsvFlag& flag, std::string_view text);

}  // namespace yard::cli::runai
