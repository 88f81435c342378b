#include "store/sqlite/archive_body.h"

#include <zlib.h>

#include <cstring>
#include <memory>
#include <optional>

#include "base/check.h"
#include "base/strings.h"
#include "store/sqlite/entity_key.h"
#include "store/sqlite/packed_text.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

constexpr int kRawWindow = -15;  // largest window, no framing: the row knows its length
constexpr int kMemoryLevel = 9;

Bytef* Bytes(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

std::unexpected<Error> Damaged(std::string_view what) {
  return Fail(Code::kInternal, "an archived workload cannot be read: " + std::string(what),
              "the database is damaged: restore the newest backup into a new data directory with "
              "gpuyard restore");
}

// Texts as this program writes them, for nobody's work.
std::string DictionaryText() {
  Attempt attempt;
  attempt.places.push_back({.node = "node", .gpus = {"GPU-"}, .each = MilliGpu(1000)});
  attempt.started_at = Time{};
  attempt.used.emplace().cpu = Micros(0);
  attempt.used->memory_peak = Mebibytes(0);
  attempt.end.emplace();
  Workload workload;
  workload.attempt = AttemptId{};
  workload.completed_at = Time{};
  workload.deleted_at = Time{};
  return wire::EncodeStored(std::make_shared<const Attempt>(attempt)) +
         wire::EncodeStored(std::make_shared<const Workload>(workload));
}

Result<std::string> ReadDictionary(Database& database, std::int64_t number) {
  YARD_ASSIGN(Statement find,
              database.Prepare("SELECT bytes FROM archive_dictionary WHERE number=?"));
  YARD_ASSIGN(bool found, find.Bind(number).Step());
  if (!found) return Damaged("its dictionary is missing");
  return std::string(find.Text(0));
}

void AppendNumber(std::string& out, std::int64_t number) {
  AppendPacked(out, std::to_string(number));
}

std::string Flatten(const ArchiveBody& body) {
  std::string flat;
  AppendPacked(flat, body.workload);
  AppendNumber(flat, std::ssize(body.attempts));
  for (const std::string& attempt : body.attempts) AppendPacked(flat, attempt);
  AppendNumber(flat, std::ssize(body.undo));
  for (const auto& [sequence, text] : body.undo) {
    AppendNumber(flat, sequence);
    AppendPacked(flat, text);
  }
  AppendNumber(flat, std::ssize(body.events));
  for (const WorkloadEvent& event : body.events) {
    AppendNumber(flat, event.at.micros);
    AppendPacked(flat, BytesOf(event.id));
    for (const std::string* text : {&event.type, &event.reason, &event.message, &event.source}) {
      AppendPacked(flat, *text);
    }
  }
  return flat;
}

// Takes texts off one after the other; once something is wrong, all that follow are empty.
class Cursor {
 public:
  explicit Cursor(std::string_view rest) : rest_(rest) {}
  std::string Text() {
    std::optional<std::string_view> text = TakePacked(rest_);
    if (!text) whole_ = false;
    return std::string(text.value_or(""));
  }
  std::int64_t Number() {
    std::optional<std::int64_t> number = ParseInt(Text());
    if (!number) whole_ = false;
    return number.value_or(0);
  }
  bool whole() const { return whole_; }

 private:
  std::string_view rest_;
  bool whole_ = true;
};

WorkloadEvent TakeEvent(Cursor& cursor) {
  WorkloadEvent event;
  event.at = Time{cursor.Number()};
  const std::string id = cursor.Text();
  if (id.size() == event.id.bytes.size()) std::memcpy(event.id.bytes.data(), id.data(), id.size());
  for (std::string* text : {&event.type, &event.reason, &event.message, &event.source}) {
    *text = cursor.Text();
  }
  return event;
}

Result<ArchiveBody> Unflatten(std::string_view flat) {
  Cursor cursor(flat);
  ArchiveBody body{.workload = cursor.Text(), .attempts = {}, .undo = {}, .events = {}};
  for (std::int64_t i = cursor.Number(); i > 0 && cursor.whole(); --i) {
    body.attempts.push_back(cursor.Text());
  }
  for (std::int64_t i = cursor.Number(); i > 0 && cursor.whole(); --i) {
    const std::int64_t sequence = cursor.Number();
    body.undo.emplace_back(sequence, cursor.Text());
  }
  for (std::int64_t i = cursor.Number(); i > 0 && cursor.whole(); --i) {
    body.events.push_back(TakeEvent(cursor));
  }
  if (!cursor.whole()) return Damaged("it is cut short");
  return body;
}

struct Deflater {
  z_stream z{};
  Deflater() {
    YARD_CHECK(deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawWindow, kMemoryLevel,
                            Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~Deflater() { deflateEnd(&z); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
};

struct Inflater {
  z_stream z{};
  Inflater() { YARD_CHECK(inflateInit2(&z, kRawWindow) == Z_OK); }
  ~Inflater() { inflateEnd(&z); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

void UseAsInput(z_stream& z, std::string_view text) {
  z.next_in = Bytes(text);
  z.avail_in = static_cast<uInt>(text.size());
}

void UseAsOutput(z_stream& z, std::string& out) {
  z.next_out = Bytes(out);
  z.avail_out = static_cast<uInt>(out.size());
}

std::string Deflate(std::string_view text, std::string_view dictionary) {
  Deflater deflater;
  z_stream& z = deflater.z;
  deflateSetDictionary(&z, Bytes(dictionary), static_cast<uInt>(dictionary.size()));
  std::string out(deflateBound(&z, text.size()), '\0');
  UseAsInput(z, text);
  UseAsOutput(z, out);
  YARD_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - z.avail_out);
  return out;
}

Result<std::string> Inflate(std::string_view packed, std::size_t size,
                            std::string_view dictionary) {
  Inflater inflater;
  z_stream& z = inflater.z;
  inflateSetDictionary(&z, Bytes(dictionary), static_cast<uInt>(dictionary.size()));
  std::string out(size, '\0');
  UseAsInput(z, packed);
  UseAsOutput(z, out);
  if (inflate(&z, Z_FINISH) != Z_STREAM_END || z.avail_out != 0) {
    return Damaged("it cannot be unpacked");
  }
  return out;
}

template <class T>
Result<Ptr<T>> DecodeAs(std::string_view kind, const std::string& text) {
  YARD_ASSIGN(Object object, wire::DecodeStored(kind, text));
  if (auto* found = std::get_if<Ptr<T>>(&object)) return *found;
  return Damaged("it holds something else");
}

}  // namespace

Result<std::int64_t> CurrentDictionary(Database& database) {
  const std::string text = DictionaryText();
  YARD_ASSIGN(Statement find,
              database.Prepare("SELECT number FROM archive_dictionary WHERE bytes=?"));
  YARD_ASSIGN(bool found, find.BindBlob(text).Step());
  if (found) return find.Int(0);
  YARD_ASSIGN(Statement insert,
              database.Prepare("INSERT INTO archive_dictionary(bytes) VALUES(?) RETURNING number"));
  YARD_TRY(insert.BindBlob(text).Step());
  return insert.Int(0);
}

Result<PackedBody> Pack(Database& database, const ArchiveBody& body, std::int64_t dictionary) {
  YARD_ASSIGN(std::string words, ReadDictionary(database, dictionary));
  const std::string flat = Flatten(body);
  return PackedBody{
      .dictionary = dictionary, .size = std::ssize(flat), .bytes = Deflate(flat, words)};
}

Result<ArchiveBody> Unpack(Database& database, const Statement& row, int column) {
  YARD_ASSIGN(std::string words, ReadDictionary(database, row.Int(column)));
  YARD_ASSIGN(std::string flat,
              Inflate(row.Text(column + 2), static_cast<std::size_t>(row.Int(column + 1)), words));
  return Unflatten(flat);
}

Result<ArchivedWorkload> Decode(const ArchiveBody& body) {
  ArchivedWorkload past;
  YARD_ASSIGN(past.workload, DecodeAs<Workload>("workload", body.workload));
  for (const std::string& text : body.attempts) {
    YARD_ASSIGN(Ptr<Attempt> attempt, DecodeAs<Attempt>("attempt", text));
    past.attempts.push_back(std::move(attempt));
  }
  return past;
}

}  // namespace yard::store
