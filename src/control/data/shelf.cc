#include "control/data/shelf.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/manifest.h"

namespace yard::control {
namespace {

constexpr Micros kSilence = Hours(1);
constexpr std::size_t kFewestDigits = 8;
constexpr std::size_t kMostPushes = 1000;

std::unexpected<Error> TooMany(std::size_t count, std::string_view what) {
  return Fail(Code::kTooMany,
              fmt::format("the project has {} {} of data sets, the most there may be", count, what),
              "remove old ones: gpuyard data rm NAME:VERSION");
}

}  // namespace

Result<StoredManifest> ReadStored(store::DataSetStore& store,
                                  std::span<const data::ChunkId> chunks) {
  StoredManifest stored;
  for (const data::ChunkId& id : chunks) {
    YARD_ASSIGN(std::string content, store.Read(id));
    if (stored.bytes.size() + content.size() > data::kMostManifestBytes)
      return Fail(Code::kTooLarge, "the manifest is too long");
    stored.bytes += content;
    stored.chunks.emplace_back(id, content.size());
  }
  return stored;
}

store::WalkChunks WalkVersion(const StoredManifest& manifest) {
  return [&manifest](const store::UseChunk& use) -> Status {
    for (const auto& [id, length] : manifest.chunks) YARD_TRY(use(id, length));
    return data::ReadManifest(manifest.bytes, [&](data::Entry&& entry) -> Status {
      for (const data::Segment& segment : entry.segments) {
        if (!segment.is_hole) YARD_TRY(use(segment.id, segment.length));
      }
      return {};
    });
  };
}

Status DataSets::Shelf::Reload() {
  YARD_ASSIGN(std::vector<store::DataVersion> versions, store->Versions());
  YARD_ASSIGN(std::vector<store::DataTag> tags, store->Tags());
  const std::lock_guard hold(mutex_);
  versions_ = std::move(versions);
  tags_ = std::move(tags);
  return {};
}

std::vector<DataSetListing> DataSets::Shelf::List() const {
  const std::lock_guard hold(mutex_);
  std::vector<DataSetListing> sets;
  for (const store::DataVersion& version : versions_) {
    if (sets.empty() || sets.back().name != version.name)
      sets.push_back({.name = version.name, .tags = {}, .versions = {}});
    sets.back().versions.push_back(version);
  }
  for (const store::DataTag& tag : tags_) {
    auto set = std::ranges::lower_bound(sets, tag.name, {}, &DataSetListing::name);
    if (set != sets.end() && set->name == tag.name) set->tags.push_back(tag);
  }
  return sets;
}

Result<store::DataVersion> DataSets::Shelf::Find(std::string_view name,
                                                 std::string_view which) const {
  const std::string_view wanted = which.empty() ? kUsualTag : which;
  const std::lock_guard hold(mutex_);
  std::optional<data::ChunkId> tagged;
  for (const store::DataTag& tag : tags_) {
    if (tag.name == name && tag.tag == wanted) tagged = tag.version;
  }
  std::vector<const store::DataVersion*> found;
  for (const store::DataVersion& version : versions_) {
    if (version.name != name) continue;
    const bool by_id =
        !tagged && wanted.size() >= kFewestDigits && data::Hex(version.id).starts_with(wanted);
    if (by_id || tagged == version.id) found.push_back(&version);
  }
  if (found.size() == 1) return *found.front();
  return Fail(Code::kNotFound,
              found.empty()
                  ? fmt::format("there is no data set '{}:{}' in this project", name, wanted)
                  : fmt::format("'{}' begins several versions of '{}'", wanted, name),
              "`gpuyard data ls` lists names, tags and versions");
}

Status DataSets::Shelf::CheckCounts(const store::DataVersion& fresh, std::string_view tag,
                                    const DataSetsOptions& most) const {
  const std::lock_guard hold(mutex_);
  const bool tagged = std::ranges::any_of(
      tags_, [&](const auto& one) { return one.name == fresh.name && one.tag == tag; });
  if (!tagged && tags_.size() >= most.most_tags) return TooMany(tags_.size(), "tags");
  std::size_t chunks = fresh.manifest.size();
  for (const store::DataVersion& version : versions_) {
    if (version.name == fresh.name && version.id == fresh.id) return {};
    chunks += version.manifest.size();
  }
  if (versions_.size() >= most.most_versions) return TooMany(versions_.size(), "versions");
  if (chunks <= most.most_manifest_chunks) return {};
  return TooMany(chunks, "chunks of manifests");
}

void DataSets::Shelf::Note(const std::string& push, Time now) {
  if (push.empty()) return;
  const std::lock_guard hold(mutex_);
  std::erase_if(pushes_, [&](const auto& item) { return item.second.last + kSilence < now; });
  auto known = pushes_.find(push);
  if (known != pushes_.end()) {
    known->second.last = now;
  } else if (pushes_.size() < kMostPushes) {
    pushes_[push] = {now, now};
  }
}

void DataSets::Shelf::End(const std::string& push) {
  const std::lock_guard hold(mutex_);
  pushes_.erase(push);
}

Time DataSets::Shelf::KeepAfter(Time now) {
  const std::lock_guard hold(mutex_);
  std::erase_if(pushes_, [&](const auto& item) { return item.second.last + kSilence < now; });
  Time after = now + Micros(1);
  for (const auto& [name, push] : pushes_) after = std::min(after, push.begun);
  return after;
}

}  // namespace yard::control
