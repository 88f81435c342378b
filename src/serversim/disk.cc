#include "serversim/disk.h"

#include <utility>
#include <variant>

#include "model/object.h"
#include "wire/stored.h"

namespace yard::serversim {
namespace {

class OpenedDisk final : public store::Store {
 public:
  explicit OpenedDisk(Disk& disk) : disk_(disk) {}
  Status Load(const std::function<Status(Object)>& take) override { return disk_.Load(take); }
  Result<std::int64_t> Commit(std::span<const store::Entry> entries) override {
    return disk_.Commit(entries);
  }
  Result<JournalPage> ReadJournal(const JournalQuery&) override { return JournalPage{}; }
  Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId, std::size_t, std::size_t) override {
    return std::vector<WorkloadEvent>{};
  }
  Result<store::Pruned> Prune(Time) override { return store::Pruned::kAll; }
  Status Backup(const std::string&) override {
    return Fail(Code::kUnsupported, "a simulated disk has no backups");
  }
  std::int64_t last_sequence() const override { return disk_.rows(); }

 private:
  Disk& disk_;
};

}  // namespace

Status Disk::Load(const std::function<Status(Object)>& take) const {
  for (const auto& [key, text] : objects_) {
    YARD_ASSIGN(Object object, wire::DecodeStored(key.first, text));
    YARD_TRY(take(std::move(object)));
  }
  return {};
}

void Disk::Digest(std::string_view text) {
  for (char c : text) {
    digest_ = (digest_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
}

void Disk::Apply(const Change& change) {
  const Object& any = change.after ? *change.after : *change.before;
  Key key{std::string(KindOf(any)), IdOf(any)};
  if (const auto* attempt = std::get_if<Ptr<Attempt>>(&any)) attempts_.insert((*attempt)->id);
  Digest(key.first);
  Digest(key.second);
  if (change.after) {
    std::string text = wire::EncodeStored(*change.after);
    Digest(text);
    objects_.insert_or_assign(std::move(key), std::move(text));
  } else {
    objects_.erase(key);
  }
}

Result<std::int64_t> Disk::Commit(std::span<const store::Entry> entries) {
  if (std::exchange(fails_, false)) {
    return Fail(Code::kUnavailable, "the simulated disk is full for a moment");
  }
  for (const store::Entry& entry : entries) {
    for (const Change& change : entry.changes) Apply(change);
    for (const WorkloadEvent& event : entry.events) Digest(event.message);
    rows_ += static_cast<std::int64_t>(entry.changes.size() + entry.notes.size());
  }
  return rows_;
}

std::unique_ptr<store::Store> OpenDisk(Disk& disk) {
  return std::make_unique<OpenedDisk>(disk);
}

}  // namespace yard::serversim
