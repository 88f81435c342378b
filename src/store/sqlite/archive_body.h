// An archived workload as one packed text: its stored form, its attempts', its events and the
// versions that the journal's changes replaced.
//
// Texts are deflated with a dictionary of the field names, which every record repeats. The
// dictionary lies in the database beside what was packed with it, so that a later program, whose
// records have other fields, can still read it. Pure but for the dictionaries. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/archive.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

// What a body holds, as stored texts.
struct ArchiveBody {
  std::string workload;
  std::vector<std::string> attempts;                       // oldest first
  std::vector<std::pair<std::int64_t, std::string>> undo;  // by sequence number, ascending
  std::vector<WorkloadEvent> events;                       // oldest first
};

struct PackedBody {
  std::int64_t dictionary = 0;
  std::int64_t size = 0;  // unpacked
  std::string bytes;
};

// The dictionary that this program packs with; stored by the first call.
Result<std::int64_t> CurrentDictionary(Database& database);

Result<PackedBody> Pack(Database& database, const ArchiveBody& body, std::int64_t dictionary);
// The row's columns must be: dictionary, size, packed, from `column` on.
Result<ArchiveBody> Unpack(Database& database, const Statement& row, int column);

Result<ArchivedWorkload> Decode(const ArchiveBody& body);

}  // namespace yard::store
