#include "store/sqlite/archive_writer.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/uuid.h"
#include "model/spec/spec.h"
#include "store/sqlite/entity_key.h"
#include "wire/spec.h"

namespace yard::store {
namespace {

constexpr std::string_view kJournalOf =
    "SELECT sequence FROM journal INDEXED BY journal_entity WHERE entity_type=? AND entity_id=?";

// The newest row carries the last sequence number and must stay.
constexpr std::string_view kButTheNewest = "sequence < (SELECT max(sequence) FROM journal)";

template <class T>
void BindOrNull(Statement& statement, const std::optional<T>& value) {
  if (value) {
    statement.Bind(*value);
  } else {
    statement.BindNull();
  }
}

std::optional<std::int64_t> MicrosOf(const std::optional<Time>& time) {
  return time ? std::optional(time->micros) : std::nullopt;
}

// From when until when some attempt may have held something.
struct Held {
  std::optional<std::int64_t> from;
  std::optional<std::int64_t> to;
};
Held HeldOf(const std::vector<Ptr<Attempt>>& attempts) {
  Held held;
  for (const Ptr<Attempt>& attempt : attempts) {
    const std::int64_t from = attempt->placed_at.micros;
    const std::int64_t to = attempt->end ? attempt->end->at.micros : from;
    held.from = std::min(held.from.value_or(from), from);
    held.to = std::max(held.to.value_or(to), to);
  }
  return held;
}

}  // namespace

Result<ArchiveWriter> ArchiveWriter::Prepare(Database& database) {
  ArchiveWriter writer(database);
  YARD_ASSIGN(writer.dictionary_, CurrentDictionary(database));
  const std::pair<Statement*, std::string> statements[] = {
      {&writer.take_object_, "DELETE FROM object WHERE kind=? AND id=? RETURNING body"},
      {&writer.read_undo_,
       fmt::format("SELECT sequence, body FROM undo WHERE sequence IN ({}) ORDER BY sequence",
                   kJournalOf)},
      {&writer.delete_undo_, fmt::format("DELETE FROM undo WHERE sequence IN ({})", kJournalOf)},
      {&writer.read_events_,
       "SELECT at, id, type, reason, message, source FROM event WHERE workload=? "
       "ORDER BY sequence"},
      {&writer.delete_events_, "DELETE FROM event WHERE workload=?"},
      {&writer.forget_undo_, fmt::format("DELETE FROM undo WHERE sequence IN ({})", kJournalOf)},
      {&writer.forget_rows_,
       fmt::format("DELETE FROM journal WHERE sequence IN ({}) AND {}", kJournalOf, kButTheNewest)},
      {&writer.insert_body_,
       "INSERT INTO archive_body(dictionary, size, packed) VALUES(?,?,?) RETURNING row"},
      {&writer.insert_row_,
       "INSERT INTO archive VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
      {&writer.count_,
       "INSERT INTO archive_count VALUES(?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE "
       "SET workloads=workloads+excluded.workloads"},
      {&writer.uncount_, "DELETE FROM archive_count WHERE project=? AND workloads=0"},
      {&writer.add_usage_,
       "INSERT INTO archive_usage SELECT held_from/?2, held_to/?2, project, department, cluster, "
       "type, owner, ?3, ?3*attempts, ?3*time, ?3*cpu, ?3*gpu_held, ?3*gpu_used, ?3*gpu_idle "
       "FROM archive WHERE id=?1 AND attempts>0 ON CONFLICT DO UPDATE SET "
       "workloads=workloads+excluded.workloads, attempts=attempts+excluded.attempts, "
       "time=time+excluded.time, cpu=cpu+excluded.cpu, gpu_held=gpu_held+excluded.gpu_held, "
       "gpu_used=gpu_used+excluded.gpu_used, gpu_idle=gpu_idle+excluded.gpu_idle"},
      {&writer.drop_usage_,
       "DELETE FROM archive_usage WHERE workloads=0 AND first_day="
       "(SELECT held_from/?2 FROM archive WHERE id=?1)"},
      {&writer.read_body_,
       "SELECT body, dictionary, size, packed FROM archive JOIN archive_body ON row=body "
       "WHERE id=?"},
      {&writer.delete_row_, "DELETE FROM archive WHERE id=?"},
      {&writer.delete_body_, "DELETE FROM archive_body WHERE row=?"},
      {&writer.insert_name_, "INSERT INTO archive_words(rowid, name) VALUES(?,?)"},
      {&writer.delete_name_,
       "INSERT INTO archive_words(archive_words, rowid, name) VALUES('delete',?,?)"},
      {&writer.insert_attempt_, "INSERT INTO archive_attempt VALUES(?)"},
      {&writer.delete_attempt_, "DELETE FROM archive_attempt WHERE id=?"},
      {&writer.insert_object_, "INSERT INTO object VALUES(?,?,?)"},
      {&writer.insert_undo_, "INSERT OR IGNORE INTO undo VALUES(?,?)"},
      {&writer.insert_event_,
       "INSERT INTO event(at, workload, id, type, reason, message, source) VALUES(?,?,?,?,?,?,?)"},
  };
  for (const auto& [statement, sql] : statements) {
    YARD_ASSIGN(*statement, database.Prepare(sql));
  }
  return writer;
}

Status ArchiveWriter::Put(const ArchiveItem& item) {
  YARD_ASSIGN(ArchiveBody body, TakeBody(item.past));
  YARD_ASSIGN(std::int64_t row, PutBody(body));
  YARD_TRY(PutRow(item, row));
  YARD_TRY(insert_name_.Bind(row).Bind(item.past.workload->name).Run());
  YARD_TRY(AddUsage(item.past.workload->id.value, 1));
  return Count(*item.past.workload, 1);
}

Result<ArchiveBody> ArchiveWriter::TakeBody(const ArchivedWorkload& past) {
  ArchiveBody body;
  const Uuid& id = past.workload->id.value;
  YARD_ASSIGN(body.workload, TakeObject("workload", id));
  for (const Ptr<Attempt>& attempt : past.attempts) {
    YARD_ASSIGN(std::string text, TakeObject("attempt", attempt->id.value));
    body.attempts.push_back(std::move(text));
    YARD_TRY(ForgetJournal(attempt->id.value));
    YARD_TRY(insert_attempt_.BindBlob(BytesOf(attempt->id.value)).Run());
  }
  YARD_TRY(TakeUndo(id, body));
  YARD_TRY(TakeEvents(id, body));
  return body;
}

Result<std::string> ArchiveWriter::TakeObject(std::string_view kind, const Uuid& id) {
  YARD_ASSIGN(bool found, take_object_.Bind(kind).BindBlob(BytesOf(id)).Step());
  if (!found) {
    return Fail(Code::kInternal, fmt::format("{} {} is not in the store, so it cannot be archived",
                                             kind, FormatUuid(id)));
  }
  std::string text(take_object_.Text(0));
  take_object_.Reset();
  return text;
}

Status ArchiveWriter::TakeUndo(const Uuid& workload, ArchiveBody& body) {
  read_undo_.Bind("workload").BindBlob(BytesOf(workload));
  while (true) {
    YARD_ASSIGN(bool more, read_undo_.Step());
    if (!more) break;
    body.undo.emplace_back(read_undo_.Int(0), std::string(read_undo_.Text(1)));
  }
  return delete_undo_.Bind("workload").BindBlob(BytesOf(workload)).Run();
}

Status ArchiveWriter::TakeEvents(const Uuid& workload, ArchiveBody& body) {
  read_events_.BindBlob(BytesOf(workload));
  while (true) {
    YARD_ASSIGN(bool more, read_events_.Step());
    if (!more) break;
    auto text = [&](int column) { return std::string(read_events_.Text(column)); };
    body.events.push_back({.id = ReadUuid(read_events_, 1),
                           .workload = WorkloadId(workload),
                           .at = Time{read_events_.Int(0)},
                           .type = text(2),
                           .reason = text(3),
                           .message = text(4),
                           .source = text(5)});
  }
  return delete_events_.BindBlob(BytesOf(workload)).Run();
}

Status ArchiveWriter::ForgetJournal(const Uuid& attempt) {
  YARD_TRY(forget_undo_.Bind("attempt").BindBlob(BytesOf(attempt)).Run());
  return forget_rows_.Bind("attempt").BindBlob(BytesOf(attempt)).Run();
}

Result<std::int64_t> ArchiveWriter::PutBody(const ArchiveBody& body) {
  YARD_ASSIGN(PackedBody packed, Pack(*database_, body, dictionary_));
  insert_body_.Bind(packed.dictionary).Bind(packed.size).BindBlob(packed.bytes);
  YARD_TRY(insert_body_.Step());
  const std::int64_t row = insert_body_.Int(0);
  insert_body_.Reset();
  return row;
}

Status ArchiveWriter::PutRow(const ArchiveItem& item, std::int64_t body) {
  const Workload& workload = *item.past.workload;
  const Held held = HeldOf(item.past.attempts);
  const std::vector<std::string>& pools = workload.spec->placement->node_pools;
  const std::string_view framework = wire::NameOf(workload.spec->framework);
  const Uuid cluster = workload.host().value;  // read when the statement runs
  insert_row_.BindBlob(BytesOf(workload.id.value)).Bind(body);
  insert_row_.BindBlob(BytesOf(cluster)).Bind(workload.department.value);
  insert_row_.Bind(workload.project.value).Bind(Name(workload.type)).Bind(Name(workload.phase()));
  insert_row_.Bind(workload.name).Bind(workload.stamp.created_by);
  insert_row_.Bind(workload.stamp.created_at.micros);
  BindOrNull(insert_row_, MicrosOf(workload.completed_at));
  BindOrNull(insert_row_, MicrosOf(workload.deleted_at));
  BindOrNull(insert_row_, MicrosOf(item.expires));
  BindOrNull(insert_row_, held.from);
  BindOrNull(insert_row_, held.to);
  BindOrNull(insert_row_, pools.empty() ? std::nullopt : std::optional(std::string_view(pools[0])));
  insert_row_.Bind(framework).Bind(workload.priority_class);
  const UsageTotals& used = item.used;
  insert_row_.Bind(used.attempts).Bind(used.time.value).Bind(used.cpu.value);
  return insert_row_.Bind(used.held.value).Bind(used.used.value).Bind(used.idle.value).Run();
}

Status ArchiveWriter::AddUsage(const Uuid& workload, std::int64_t sign) {
  YARD_TRY(add_usage_.BindBlob(BytesOf(workload)).Bind(Days(1).value).Bind(sign).Run());
  if (sign > 0) return {};
  return drop_usage_.BindBlob(BytesOf(workload)).Bind(Days(1).value).Run();
}

Status ArchiveWriter::Count(const Workload& workload, std::int64_t more) {
  const Uuid cluster = workload.host().value;
  count_.Bind(workload.project.value).Bind(workload.department.value);
  count_.BindBlob(BytesOf(cluster)).Bind(Name(workload.type));
  count_.Bind(Name(workload.phase())).Bind(workload.stamp.created_by);
  return count_.Bind(std::int64_t{workload.deleted_at.has_value()}).Bind(more).Run();
}

Status ArchiveWriter::Recall(WorkloadId id) {
  YARD_ASSIGN(bool found, read_body_.BindBlob(BytesOf(id.value)).Step());
  if (!found) {
    return Fail(Code::kInternal,
                fmt::format("workload {} is not in the archive", FormatUuid(id.value)));
  }
  const std::int64_t row = read_body_.Int(0);
  Result<ArchiveBody> body = Unpack(*database_, read_body_, 1);
  read_body_.Reset();
  YARD_TRY(body);
  YARD_ASSIGN(ArchivedWorkload past, Decode(*body));
  YARD_TRY(AddUsage(id.value, -1));
  YARD_TRY(delete_row_.BindBlob(BytesOf(id.value)).Run());
  YARD_TRY(delete_body_.Bind(row).Run());
  YARD_TRY(delete_name_.Bind(row).Bind(past.workload->name).Run());
  YARD_TRY(Count(*past.workload, -1));
  YARD_TRY(uncount_.Bind(past.workload->project.value).Run());
  return RestoreBody(id.value, past, *body);
}

Status ArchiveWriter::RestoreBody(const Uuid& workload, const ArchivedWorkload& past,
                                  const ArchiveBody& body) {
  YARD_TRY(RestoreObject("workload", workload, body.workload));
  for (std::size_t i = 0; i < body.attempts.size(); ++i) {
    const Uuid& id = past.attempts[i]->id.value;
    YARD_TRY(RestoreObject("attempt", id, body.attempts[i]));
    YARD_TRY(delete_attempt_.BindBlob(BytesOf(id)).Run());
  }
  for (const auto& [sequence, text] : body.undo) {
    YARD_TRY(insert_undo_.Bind(sequence).Bind(text).Run());
  }
  for (const WorkloadEvent& event : body.events) {
    insert_event_.Bind(event.at.micros).BindBlob(BytesOf(workload));
    insert_event_.BindBlob(BytesOf(event.id)).Bind(event.type).Bind(event.reason);
    YARD_TRY(insert_event_.Bind(event.message).Bind(event.source).Run());
  }
  return {};
}

Status ArchiveWriter::RestoreObject(std::string_view kind, const Uuid& id,
                                    const std::string& text) {
  return insert_object_.Bind(kind).BindBlob(BytesOf(id)).Bind(text).Run();
}

}  // namespace yard::store
