#include "slice/cuda/ptr_map.h"

#include <sys/mman.h>

namespace yard::slice {
namespace {

constexpr std::size_t kFirstCapacity = 1024;

Charge* NewTable(std::size_t capacity) {
  void* const memory = mmap(nullptr, capacity * sizeof(Charge), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<Charge*>(memory);
}

}  // namespace

std::size_t PtrMap::Home(std::uint64_t key) const {
  return static_cast<std::size_t>((key >> 4 ^ key << 20) * 0x9e3779b97f4a7c15ULL >> 20) &
         (capacity_ - 1);
}

// The place of the key, or the empty place where it would go.
std::size_t PtrMap::Probe(std::uint64_t key) const {
  std::size_t at = Home(key);
  while (table_[at].key != 0 && table_[at].key != key) at = (at + 1) & (capacity_ - 1);
  return at;
}

bool PtrMap::Grow() {
  const std::size_t old_capacity = capacity_;
  Charge* const old = table_;
  Charge* const fresh = NewTable(old_capacity == 0 ? kFirstCapacity : old_capacity * 2);
  if (fresh == nullptr) return false;
  capacity_ = old_capacity == 0 ? kFirstCapacity : old_capacity * 2;
  table_ = fresh;
  for (std::size_t i = 0; i < old_capacity; ++i)
    if (old[i].key != 0) table_[Probe(old[i].key)] = old[i];
  if (old != nullptr) munmap(old, old_capacity * sizeof(Charge));
  return true;
}

bool PtrMap::Put(const Charge& entry) {
  Locked hold(lock_);
  if (count_ * 2 >= capacity_ && !Grow()) return false;
  const std::size_t at = Probe(entry.key);
  if (table_[at].key != entry.key) ++count_;
  table_[at] = entry;
  return true;
}

bool PtrMap::Find(std::uint64_t key, Charge* out) {
  Locked hold(lock_);
  if (key == 0 || count_ == 0) return false;
  const std::size_t at = Probe(key);
  if (table_[at].key != key) return false;
  *out = table_[at];
  return true;
}

// Closes the gap by moving later entries of the same run back, so that no tombstones remain.
void PtrMap::Remove(std::size_t at) {
  std::size_t gap = at;
  for (std::size_t next = (at + 1) & (capacity_ - 1); table_[next].key != 0;
       next = (next + 1) & (capacity_ - 1)) {
    const std::size_t home = Home(table_[next].key);
    if (((next - home) & (capacity_ - 1)) < ((next - gap) & (capacity_ - 1))) continue;
    table_[gap] = table_[next];
    gap = next;
  }
  table_[gap] = Charge{};
  --count_;
}

bool PtrMap::Take(std::uint64_t key, Charge* out) {
  Locked hold(lock_);
  if (key == 0 || count_ == 0) return false;
  const std::size_t at = Probe(key);
  if (table_[at].key != key) return false;
  *out = table_[at];
  Remove(at);
  return true;
}

// Removing moves later entries back, so the place is looked at again.
bool PtrMap::TakeOf(std::uint64_t context, std::size_t* at, Charge* out) {
  Locked hold(lock_);
  for (; *at < capacity_; ++*at) {
    if (table_[*at].key == 0 || table_[*at].context != context) continue;
    *out = table_[*at];
    Remove(*at);
    return true;
  }
  return false;
}

void PtrMap::Retag(std::uint64_t context, std::uint64_t other) {
  Locked hold(lock_);
  for (std::size_t at = 0; at < capacity_; ++at)
    if (table_[at].key != 0 && table_[at].context == context) table_[at].context = other;
}

std::uint32_t PtrMap::Join(std::uint64_t key) {
  Locked hold(lock_);
  if (count_ * 2 >= capacity_ && !Grow()) return 0;
  Charge& entry = table_[Probe(key)];
  if (entry.key == 0) {
    entry.key = key;
    ++count_;
  }
  return ++entry.link;
}

std::uint32_t PtrMap::Part(std::uint64_t key) {
  Locked hold(lock_);
  if (count_ == 0) return 0;
  const std::size_t at = Probe(key);
  if (table_[at].key != key) return 0;
  const std::uint32_t left = --table_[at].link;
  if (left == 0) Remove(at);
  return left;
}

std::size_t PtrMap::Size() {
  Locked hold(lock_);
  return count_;
}

}  // namespace yard::slice
