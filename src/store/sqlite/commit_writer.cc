#include "store/sqlite/commit_writer.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "store/sqlite/entity_key.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

constexpr int kSuccess = 200;

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
              database.Prepare("INSERT INTO journal VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  YARD_ASSIGN(writer.insert_event_,
              database.Prepare("INSERT INTO event(at, workload, id, type, reason, message, source) "
                               "VALUES(?,?,?,?,?,?,?)"));
  return writer;
}

Status CommitWriter::Write(const Entry& entry, std::int64_t& sequence) {
  for (const Change& change : entry.changes) YARD_TRY(WriteChange(entry, change, ++sequence));
  for (const Note& note : entry.notes) {
    Row row{.status = note.status,
            .action = note.action,
            .entity_type = note.entity_type,
            .entity_id = note.entity_id,
            .entity_name = note.entity_name};
    YARD_TRY(WriteRow(entry, row, ++sequence));
  }
  for (const WorkloadEvent& event : entry.events) YARD_TRY(WriteEvent(event));
  return {};
}

Status CommitWriter::WriteChange(const Entry& entry, const Change& change, std::int64_t sequence) {
  YARD_CHECK(change.before || change.after);
  const Object& object = change.after ? *change.after : *change.before;
  Verb verb = VerbOf(change);
  std::string name = NameOf(object);
  Row row{.verb = 1 + static_cast<int>(verb),
          .status = kSuccess,
          .action = ActionOf(verb),
          .entity_type = KindOf(object),
          .entity_id = IdOf(object),
          .entity_name = name};
  if (change.before) YARD_TRY(KeepReplaced(*change.before, sequence));
  YARD_TRY(Apply(change));
  return WriteRow(entry, row, sequence);
}

// Copies what the table holds, not what the caller remembers: the bytes are those once stored.
Status CommitWriter::KeepReplaced(const Object& before, std::int64_t sequence) {
  EntityKey key(IdOf(before));
  insert_undo_.Bind(sequence).Bind(KindOf(before));
  key.BindTo(insert_undo_);
  YARD_TRY(insert_undo_.Run());
  if (database_->changed_rows() == 1) return {};
  return Fail(Code::kInternal, fmt::format("{} {} is not in the store, so it cannot be changed",
                                           KindOf(before), IdOf(before)));
}

Status CommitWriter::Apply(const Change& change) {
  const Object& object = change.after ? *change.after : *change.before;
  EntityKey key(IdOf(object));
  std::string_view kind = KindOf(object);
  if (!change.after) {
    delete_object_.Bind(kind);
    key.BindTo(delete_object_);
    return delete_object_.Run();
  }
  std::string body = wire::EncodeStored(*change.after);
  if (change.before) {
    update_object_.Bind(body).Bind(kind);
    key.BindTo(update_object_);
    return update_object_.Run();
  }
  insert_object_.Bind(kind);
  key.BindTo(insert_object_);
  return insert_object_.Bind(body).Run();
}

Status CommitWriter::WriteRow(const Entry& entry, const Row& row, std::int64_t sequence) {
  EntityKey key(row.entity_id);
  const Origin& origin = entry.origin;
  insert_row_.Bind(sequence).Bind(entry.at.micros).Bind(row.verb).Bind(row.status);
  insert_row_.Bind(row.action).Bind(row.entity_type);
  key.BindTo(insert_row_);
  insert_row_.Bind(row.entity_name).Bind(origin.subject).Bind(origin.subject_type);
  insert_row_.Bind(origin.address).Bind(origin.method).Bind(origin.url).Bind(origin.request_id);
  return insert_row_.Run();
}

Status CommitWriter::WriteEvent(const WorkloadEvent& event) {
  insert_event_.Bind(event.at.micros).BindBlob(BytesOf(event.workload.value));
  insert_event_.BindBlob(BytesOf(event.id)).Bind(event.type).Bind(event.reason);
  return insert_event_.Bind(event.message).Bind(event.source).Run();
}

}  // namespace yard::store
