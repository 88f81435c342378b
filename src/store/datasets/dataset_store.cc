#include "store/datasets/dataset_store.h"

#include <array>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "store/datasets/packs.h"
#include "store/sqlite/directory_lock.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {
namespace {

using data::ChunkId;

constexpr std::int64_t kApplicationId = 0x67794461;  // "gyDa"
constexpr std::size_t kMostMissing = 4096;

// A chunk that was found damaged has the size -1: it counts as missing, and a push of the same
// content mends it for every version.
constexpr const char* kTables = R"sql(
CREATE TABLE pack(id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL, live INTEGER NOT NULL);
CREATE TABLE chunk(
  id BLOB PRIMARY KEY, pack INTEGER NOT NULL, at INTEGER NOT NULL, size INTEGER NOT NULL,
  encoding INTEGER NOT NULL, length INTEGER NOT NULL, uses INTEGER NOT NULL,
  touched INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX chunk_unused ON chunk(touched) WHERE uses=0;
CREATE INDEX chunk_pack ON chunk(pack);
CREATE TABLE version(
  name TEXT NOT NULL, id BLOB NOT NULL, manifest BLOB NOT NULL, files INTEGER NOT NULL,
  bytes INTEGER NOT NULL, created INTEGER NOT NULL, created_by TEXT NOT NULL,
  origin TEXT NOT NULL, PRIMARY KEY(name, id)) WITHOUT ROWID;
CREATE TABLE tag(
  name TEXT NOT NULL, tag TEXT NOT NULL, version BLOB NOT NULL, moved INTEGER NOT NULL,
  PRIMARY KEY(name, tag)) WITHOUT ROWID;
)sql";

constexpr std::array kSteps{kTables};
constexpr Schema kSchema{.file = "index.db", .application_id = kApplicationId, .steps = kSteps};

ChunkId IdAt(const Statement& row, int column) {
  return data::IdFromBytes(row.Text(column)).value_or(ChunkId());
}

std::unexpected<Error> Damaged(std::string message) {
  return Fail(Code::kUnavailable, std::move(message),
              "push the same data again from its source: that mends every version that has it");
}

class FolderDataSets final : public DataSetStore {
 public:
  FolderDataSets(DirectoryLock lock, const std::string& folder)
      : lock_(std::move(lock)), folder_(folder), packs_(folder + "/packs") {}

  Status Open();
  Result<std::vector<DataVersion>> Versions() override;
  Result<std::vector<DataTag>> Tags() override;
  Result<std::vector<ChunkId>> Missing(std::span<const ChunkId> ids, Time now) override;
  Result<std::int64_t> Put(std::span<const data::Frame> frames, Time now) override;
  Result<std::string> Read(const ChunkId& id) override;
  Result<std::vector<ChunkId>> Commit(const DataVersion& version, const std::string& tag,
                                      const WalkChunks& walk) override;
  Status RemoveTag(const std::string& name, const std::string& tag) override;
  Status RemoveVersion(const DataVersion& version, const WalkChunks& walk) override;
  Result<std::int64_t> Sweep(Time before) override;
  Result<std::int64_t> StoredBytes() override;

 private:
  struct Row {
    PackPlace place;
    data::Encoding encoding = data::Encoding::kPlain;
    std::uint64_t length = 0;
  };

  // All of these with the lock held.
  Result<std::optional<Row>> Find(const ChunkId& id);
  Status MarkDamaged(const ChunkId& id, const PackPlace& place);  // takes the lock
  Result<bool> Touch(const ChunkId& id, Time now);
  Status Insert(const data::Frame& frame, Time now);
  Result<bool> Has(const DataVersion& version);
  Status SetTag(const DataVersion& version, const std::string& tag);
  Status Insert(const DataVersion& version);
  Result<std::vector<ChunkId>> UseAll(const WalkChunks& walk);
  Status DropUnused(Time before);
  Result<std::vector<std::int64_t>> Compact();
  Status Move(std::int64_t pack);
  Result<std::int64_t> Sum();

  const DirectoryLock lock_;
  const std::string folder_;

  std::mutex mutex_;
  Packs packs_;
  std::optional<Database> database_;
  Statement find_;
  Statement touch_;
  Statement use_;
  Statement leave_;
  Statement insert_;
  Statement grow_;
};

Status FolderDataSets::Open() {
  std::error_code error;
  std::filesystem::create_directories(folder_ + "/packs", error);
  if (error)
    return Fail(Code::kUnavailable, fmt::format("cannot make {}: {}", folder_, error.message()));
  YARD_ASSIGN(Database database, Database::Open(folder_ + "/index.db", OpenMode::kCreate));
  YARD_TRY(
      database.Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                       "PRAGMA journal_size_limit=67108864"));
  YARD_TRY(Migrate(database, kSchema));
  database_.emplace(std::move(database));
  YARD_ASSIGN(find_, database_->Prepare("SELECT pack, at, size, encoding, length FROM chunk "
                                        "WHERE id=?"));
  YARD_ASSIGN(touch_, database_->Prepare("UPDATE chunk SET touched=max(touched, ?) WHERE id=? "
                                         "AND size>=0"));
  YARD_ASSIGN(use_, database_->Prepare("UPDATE chunk SET uses=uses+1 WHERE id=? AND length=? "
                                       "AND size>=0"));
  YARD_ASSIGN(leave_, database_->Prepare("UPDATE chunk SET uses=uses-1 WHERE id=?"));
  YARD_ASSIGN(insert_, database_->Prepare(
                           "INSERT INTO chunk VALUES(?,?,?,?,?,?,0,?) ON CONFLICT DO UPDATE SET "
                           "pack=excluded.pack, at=excluded.at, size=excluded.size, "
                           "encoding=excluded.encoding, touched=excluded.touched"));
  YARD_ASSIGN(grow_, database_->Prepare("INSERT INTO pack VALUES(?,?,?) ON CONFLICT DO UPDATE SET "
                                        "bytes=max(bytes, excluded.bytes), "
                                        "live=live+excluded.live"));
  YARD_ASSIGN(auto newest, database_->QueryInt("SELECT max(id) FROM pack"));
  YARD_ASSIGN(auto end, database_->QueryInt("SELECT bytes FROM pack ORDER BY id DESC LIMIT 1"));
  return packs_.Continue(newest.value_or(1), end.value_or(0));
}

Result<std::vector<DataVersion>> FolderDataSets::Versions() {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(Statement rows,
              database_->Prepare("SELECT name, id, manifest, files, bytes, created, created_by, "
                                 "origin FROM version ORDER BY name, created"));
  std::vector<DataVersion> versions;
  while (true) {
    YARD_ASSIGN(bool row, rows.Step());
    if (!row) return versions;
    YARD_ASSIGN(std::vector<ChunkId> manifest, data::SplitIds(rows.Text(2)));
    versions.push_back({.id = IdAt(rows, 1),
                        .name = std::string(rows.Text(0)),
                        .manifest = std::move(manifest),
                        .files = rows.Int(3),
                        .bytes = rows.Int(4),
                        .created_at = Time{rows.Int(5)},
                        .created_by = std::string(rows.Text(6)),
                        .origin = std::string(rows.Text(7))});
  }
}

Result<std::vector<DataTag>> FolderDataSets::Tags() {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(Statement rows, database_->Prepare("SELECT name, tag, version, moved FROM tag "
                                                 "ORDER BY name, tag"));
  std::vector<DataTag> tags;
  while (true) {
    YARD_ASSIGN(bool row, rows.Step());
    if (!row) return tags;
    tags.push_back(
        {std::string(rows.Text(0)), std::string(rows.Text(1)), IdAt(rows, 2), Time{rows.Int(3)}});
  }
}

Result<std::optional<FolderDataSets::Row>> FolderDataSets::Find(const ChunkId& id) {
  find_.BindBlob(id.view());
  YARD_ASSIGN(bool there, find_.Step());
  if (!there) return std::optional<Row>();
  Row row{.place = {find_.Int(0), find_.Int(1), find_.Int(2)},
          .encoding = find_.Int(3) == 1 ? data::Encoding::kDeflate : data::Encoding::kPlain,
          .length = static_cast<std::uint64_t>(find_.Int(4))};
  find_.Reset();
  return std::optional(row);
}

Result<bool> FolderDataSets::Touch(const ChunkId& id, Time now) {
  YARD_TRY(touch_.Bind(now.micros).BindBlob(id.view()).Run());
  return database_->changed_rows() > 0;
}

Result<std::vector<ChunkId>> FolderDataSets::Missing(std::span<const ChunkId> ids, Time now) {
  const std::lock_guard hold(mutex_);
  std::vector<ChunkId> missing;
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  for (const ChunkId& id : ids) {
    YARD_ASSIGN(bool there, Touch(id, now));
    if (!there) missing.push_back(id);
  }
  YARD_TRY(transaction.Commit());
  return missing;
}

Status FolderDataSets::Insert(const data::Frame& frame, Time now) {
  YARD_ASSIGN(PackPlace place, packs_.Append(frame.payload));
  YARD_TRY(insert_.BindBlob(frame.id.view())
               .Bind(place.pack)
               .Bind(place.at)
               .Bind(place.size)
               .Bind(static_cast<std::int64_t>(frame.encoding))
               .Bind(static_cast<std::int64_t>(frame.length))
               .Bind(now.micros)
               .Run());
  return grow_.Bind(place.pack).Bind(place.at + place.size).Bind(place.size).Run();
}

Result<std::int64_t> FolderDataSets::Put(std::span<const data::Frame> frames, Time now) {
  const std::lock_guard hold(mutex_);
  std::int64_t stored = 0;
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  for (const data::Frame& frame : frames) {
    YARD_ASSIGN(bool there, Touch(frame.id, now));
    if (there) continue;
    YARD_TRY(Insert(frame, now));
    ++stored;
  }
  if (stored > 0) YARD_TRY(packs_.Sync());
  YARD_TRY(transaction.Commit());
  return stored;
}

Result<std::string> FolderDataSets::Read(const ChunkId& id) {
  // A sweep may move it between the look and the read.
  for (int tries = 0;; ++tries) {
    std::optional<Row> row;
    {
      const std::lock_guard hold(mutex_);
      YARD_ASSIGN(row, Find(id));
    }
    if (!row) return Fail(Code::kNotFound, fmt::format("there is no chunk {}", data::Hex(id)));
    if (row->place.size < 0) return Damaged(fmt::format("chunk {} is damaged", data::Hex(id)));
    Result<std::string> payload = packs_.Read(row->place);
    if (!payload && payload.error().code == Code::kNotFound && tries < 3) continue;
    if (!payload) {
      return Fail(Code::kUnavailable,
                  fmt::format("chunk {}: {}", data::Hex(id), payload.error().message));
    }
    Result<std::string> content = data::Unpack({id, row->encoding, row->length, *payload});
    if (content) return content;
    YARD_TRY(MarkDamaged(id, row->place));
    return Damaged(fmt::format("{} (byte {} of packs/{:08}.pack)", content.error().message,
                               row->place.at, row->place.pack));
  }
}

Status FolderDataSets::MarkDamaged(const ChunkId& id, const PackPlace& place) {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  YARD_ASSIGN(Statement mark,
              database_->Prepare("UPDATE chunk SET size=-1 WHERE id=? AND pack=? AND at=?"));
  YARD_TRY(mark.BindBlob(id.view()).Bind(place.pack).Bind(place.at).Run());
  if (database_->changed_rows() == 0) return {};  // moved meanwhile
  YARD_TRY(grow_.Bind(place.pack).Bind(0).Bind(-place.size).Run());
  return transaction.Commit();
}

Result<bool> FolderDataSets::Has(const DataVersion& version) {
  YARD_ASSIGN(Statement row, database_->Prepare("SELECT 1 FROM version WHERE name=? AND id=?"));
  row.Bind(version.name).BindBlob(version.id.view());
  return row.Step();
}

Status FolderDataSets::SetTag(const DataVersion& version, const std::string& tag) {
  YARD_ASSIGN(Statement set, database_->Prepare("INSERT INTO tag VALUES(?,?,?,?) ON CONFLICT DO "
                                                "UPDATE SET version=excluded.version, "
                                                "moved=excluded.moved"));
  return set.Bind(version.name)
      .Bind(tag)
      .BindBlob(version.id.view())
      .Bind(version.created_at.micros)
      .Run();
}

Status FolderDataSets::Insert(const DataVersion& version) {
  const std::string manifest = data::JoinIds(version.manifest);
  YARD_ASSIGN(Statement put, database_->Prepare("INSERT INTO version VALUES(?,?,?,?,?,?,?,?)"));
  return put.Bind(version.name)
      .BindBlob(version.id.view())
      .BindBlob(manifest)
      .Bind(version.files)
      .Bind(version.bytes)
      .Bind(version.created_at.micros)
      .Bind(version.created_by)
      .Bind(version.origin)
      .Run();
}

// Counts one more use of each chunk; answers with those that are not there.
Result<std::vector<ChunkId>> FolderDataSets::UseAll(const WalkChunks& walk) {
  std::vector<ChunkId> missing;
  const UseChunk use = [&](const ChunkId& id, std::uint64_t length) -> Status {
    YARD_TRY(use_.BindBlob(id.view()).Bind(static_cast<std::int64_t>(length)).Run());
    if (database_->changed_rows() > 0) return {};
    YARD_ASSIGN(auto row, Find(id));
    if (row && row->place.size >= 0)
      return Fail(Code::kInvalid, fmt::format("chunk {} is {} bytes long, not {}", data::Hex(id),
                                              row->length, length));
    if (missing.size() < kMostMissing) missing.push_back(id);
    return {};
  };
  YARD_TRY(walk(use));
  return missing;
}

Result<std::vector<ChunkId>> FolderDataSets::Commit(const DataVersion& version,
                                                    const std::string& tag,
                                                    const WalkChunks& walk) {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  YARD_ASSIGN(bool there, Has(version));
  if (!there) {
    YARD_ASSIGN(std::vector<ChunkId> missing, UseAll(walk));
    if (!missing.empty()) return missing;
    YARD_TRY(Insert(version));
  }
  YARD_TRY(SetTag(version, tag));
  YARD_TRY(transaction.Commit());
  return std::vector<ChunkId>();
}

Status FolderDataSets::RemoveTag(const std::string& name, const std::string& tag) {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(Statement gone, database_->Prepare("DELETE FROM tag WHERE name=? AND tag=?"));
  return gone.Bind(name).Bind(tag).Run();
}

Status FolderDataSets::RemoveVersion(const DataVersion& version, const WalkChunks& walk) {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  YARD_ASSIGN(bool there, Has(version));
  if (!there) return {};
  YARD_TRY(
      walk([&](const ChunkId& id, std::uint64_t) { return leave_.BindBlob(id.view()).Run(); }));
  for (const char* sql : {"DELETE FROM version WHERE name=? AND id=?",
                          "DELETE FROM tag WHERE name=? AND version=?"}) {
    YARD_ASSIGN(Statement gone, database_->Prepare(sql));
    YARD_TRY(gone.Bind(version.name).BindBlob(version.id.view()).Run());
  }
  return transaction.Commit();
}

Status FolderDataSets::DropUnused(Time before) {
  YARD_ASSIGN(
      Statement shrink,
      database_->Prepare("UPDATE pack SET live=live-(SELECT coalesce(sum(max(size,0)),0) FROM "
                         "chunk WHERE chunk.pack=pack.id AND uses=0 AND touched<?1)"));
  YARD_TRY(shrink.Bind(before.micros).Run());
  YARD_ASSIGN(Statement drop, database_->Prepare("DELETE FROM chunk WHERE uses=0 AND touched<?"));
  return drop.Bind(before.micros).Run();
}

// What is still used of a pack goes to the end of the newest one.
Status FolderDataSets::Move(std::int64_t pack) {
  struct Moved {
    ChunkId id;
    PackPlace place;
  };
  std::vector<Moved> chunks;
  YARD_ASSIGN(Statement rows,
              database_->Prepare("SELECT id, at, size FROM chunk WHERE pack=? AND size>=0"));
  rows.Bind(pack);
  while (true) {
    YARD_ASSIGN(bool row, rows.Step());
    if (!row) break;
    chunks.push_back({IdAt(rows, 0), {pack, rows.Int(1), rows.Int(2)}});
  }
  YARD_ASSIGN(Statement put, database_->Prepare("UPDATE chunk SET pack=?, at=? WHERE id=?"));
  for (const Moved& chunk : chunks) {
    YARD_ASSIGN(std::string bytes, packs_.Read(chunk.place));
    YARD_ASSIGN(PackPlace place, packs_.Append(bytes));
    YARD_TRY(put.Bind(place.pack).Bind(place.at).BindBlob(chunk.id.view()).Run());
    YARD_TRY(grow_.Bind(place.pack).Bind(place.at + place.size).Bind(place.size).Run());
  }
  return chunks.empty() ? Status() : packs_.Sync();
}

// The packs that can go once the transaction is on disk.
Result<std::vector<std::int64_t>> FolderDataSets::Compact() {
  std::vector<std::int64_t> sparse;
  YARD_ASSIGN(Statement rows,
              database_->Prepare("SELECT id FROM pack WHERE live*2<bytes AND id<>? ORDER BY id"));
  rows.Bind(packs_.current());
  while (true) {
    YARD_ASSIGN(bool row, rows.Step());
    if (!row) break;
    sparse.push_back(rows.Int(0));
  }
  YARD_ASSIGN(Statement gone, database_->Prepare("DELETE FROM pack WHERE id=?"));
  for (std::int64_t pack : sparse) {
    YARD_TRY(Move(pack));
    YARD_TRY(gone.Bind(pack).Run());
  }
  return sparse;
}

Result<std::int64_t> FolderDataSets::Sum() {
  YARD_ASSIGN(auto sum, database_->QueryInt("SELECT sum(bytes) FROM pack"));
  return sum.value_or(0);
}

Result<std::int64_t> FolderDataSets::Sweep(Time before) {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(const std::int64_t had, Sum());
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  YARD_TRY(DropUnused(before));
  // The newest pack goes too if nothing of it is left: the next one begins.
  YARD_ASSIGN(auto live, database_->QueryInt("SELECT live FROM pack ORDER BY id DESC LIMIT 1"));
  if (live && *live == 0) YARD_TRY(packs_.Continue(packs_.current() + 1, 0));
  YARD_ASSIGN(std::vector<std::int64_t> empty, Compact());
  YARD_ASSIGN(const std::int64_t have, Sum());
  YARD_TRY(transaction.Commit());
  for (std::int64_t pack : empty) YARD_TRY(packs_.Remove(pack));
  return had - have;
}

Result<std::int64_t> FolderDataSets::StoredBytes() {
  const std::lock_guard hold(mutex_);
  YARD_ASSIGN(auto sum, database_->QueryInt("SELECT sum(live) FROM pack"));
  return sum.value_or(0);
}

}  // namespace

Result<std::unique_ptr<DataSetStore>> OpenDataSets(const std::string& folder) {
  YARD_ASSIGN(DirectoryLock lock, DirectoryLock::Acquire(folder));
  auto store = std::make_unique<FolderDataSets>(std::move(lock), folder);
  YARD_TRY(store->Open());
  return store;
}

}  // namespace yard::store
