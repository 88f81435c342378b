#include "store/sqlite/commit_writer.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "store/sqlite/packed_text.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

Verb VerbOf(const Change& change) {
  if (!change.before) return Verb::kCreate;
  return change.after ? Verb::kUpdate : Verb::kDelete;
}

std::string_view ActionOf(Verb verb) {
  switch (verb) {
    case Verb::kCreate:
      return "create";
    case Verb::kUpdate:
      return "update";
    case Verb::kDelete:
      return "delete";
  }
  std::unreachable();
}

}  // namespace

Result<CommitWriter> CommitWriter::Prepare(Database& database) {
  CommitWriter writer(database);
  YARD_ASSIGN(writer.insert_object_, database.Prepare("INSERT INTO object VALUES(?,?,?)"));
  YARD_ASSIGN(writer.update_object_,
              database.Prepare("UPDATE object SET body=? WHERE kind=? AND id=?"));
  YARD_ASSIGN(writer.delete_object_, database.Prepare("DELETE FROM object WHERE kind=? AND id=?"));
  YARD_ASSIGN(
      writer.insert_undo_,
      database.Prepare("INSERT INTO undo SELECT ?, body FROM object WHERE kind=? AND id=?"));
  YARD_ASSIGN(writer.insert_row_,
              database.Prepare("INSERT INTO journal VALUES(?,?,?,?,?,?,?,?,?)"));
  YARD_ASSIGN(writer.insert_event_,
              database.Prepare("INSERT INTO event(at, workload, id, type, reason, message, source) "
                               "VALUES(?,?,?,?,?,?,?)"));
  return writer;
}

Status CommitWriter::Write(const Entry& entry, std::int64_t& sequence) {
  for (const Change& change : entry.changes) YARD_TRY(WriteChange(entry, change, ++sequence));
  for (const Note& note : entry.notes) {
    EntityKey key(note.entity_id);
    Row row{.status = note.status,
            .action = note.action,
            .entity_type = note.entity_type,
            .entity_key = key,
            .entity_name = note.entity_name};
    YARD_TRY(WriteRow(entry, row, ++sequence));
  }
  for (const WorkloadEvent& event : entry.events) YARD_TRY(WriteEvent(event));
  return {};
}

Status CommitWriter::WriteChange(const Entry& entry, const Change& change, std::int64_t sequence) {
  YARD_CHECK(change.before || change.after);
  const Object& object = change.after ? *change.after : *change.before;
  EntityKey key(IdOf(object));
  Verb verb = VerbOf(change);
  std::string name = NameOf(object);
  Row row{.verb = 1 + static_cast<int>(verb),
          .status = entry.origin.status,
          .action = ActionOf(verb),
          .entity_type = KindOf(object),
          .entity_key = key,
          .entity_name = name};
  if (change.before) YARD_TRY(KeepReplaced(row, sequence));
  YARD_TRY(Apply(change, row));
  return WriteRow(entry, row, sequence);
}

// Copies what the table holds, not what the caller remembers: the bytes are those once stored.
Status CommitWriter::KeepReplaced(const Row& row, std::int64_t sequence) {
  insert_undo_.Bind(sequence).Bind(row.entity_type);
  row.entity_key.BindTo(insert_undo_);
  YARD_TRY(insert_undo_.Run());
  if (database_->changed_rows() == 1) return {};
  return Fail(Code::kInternal, fmt::format("{} '{}' is not in the store, so it cannot be changed",
                                           row.entity_type, row.entity_name));
}

Status CommitWriter::Apply(const Change& change, const Row& row) {
  if (!change.after) {
    delete_object_.Bind(row.entity_type);
    row.entity_key.BindTo(delete_object_);
    return delete_object_.Run();
  }
  std::string body = wire::EncodeStored(*change.after);
  if (change.before) {
    update_object_.Bind(body).Bind(row.entity_type);
    row.entity_key.BindTo(update_object_);
    return update_object_.Run();
  }
  insert_object_.Bind(row.entity_type);
  row.entity_key.BindTo(insert_object_);
  return insert_object_.Bind(body).Run();
}

Status CommitWriter::WriteRow(const Entry& entry, const Row& row, std::int64_t sequence) {
  const Origin& origin = entry.origin;
  detail_.clear();
  for (std::string_view text :
       {row.entity_name, std::string_view(origin.subject_type), std::string_view(origin.address),
        std::string_view(origin.method), std::string_view(origin.url),
        std::string_view(origin.request_id)}) {
    AppendPacked(detail_, text);
  }
  insert_row_.Bind(sequence).Bind(entry.at.micros).Bind(row.verb).Bind(row.status);
  insert_row_.Bind(row.action).Bind(row.entity_type);
  row.entity_key.BindTo(insert_row_);
  return insert_row_.Bind(origin.subject).Bind(detail_).Run();
}

Status CommitWriter::WriteEvent(const WorkloadEvent& event) {
  insert_event_.Bind(event.at.micros).BindBlob(BytesOf(event.workload.value));
  insert_event_.BindBlob(BytesOf(event.id)).Bind(event.type).Bind(event.reason);
  return insert_event_.Bind(event.message).Bind(event.source).Run();
}

}  // namespace yard::store
