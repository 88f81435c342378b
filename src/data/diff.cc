#include "data/diff.h"

namespace yard::data {
namespace {

// Holes and how files are cut are not content, but equal segments are equal content, and the cuts
// follow the content.
bool IsSame(const Entry& a, const Entry& b) {
  return a.kind == b.kind && a.mode == b.mode && a.size == b.size && a.target == b.target &&
         a.segments == b.segments;
}

}  // namespace

std::vector<Difference> Compare(const std::vector<Entry>& old_entries,
                                const std::vector<Entry>& new_entries) {
  using enum Difference::What;
  std::vector<Difference> found;
  auto a = old_entries.begin();
  auto b = new_entries.begin();
  while (a != old_entries.end() || b != new_entries.end()) {
    const bool gone =
        b == new_entries.end() || (a != old_entries.end() && ComesBefore(a->path, b->path));
    const bool fresh = !gone && (a == old_entries.end() || ComesBefore(b->path, a->path));
    if (gone) {
      found.push_back({kRemoved, a->path, a->kind, a->size, 0});
    } else if (fresh) {
      found.push_back({kAdded, b->path, b->kind, 0, b->size});
    } else if (!IsSame(*a, *b)) {
      found.push_back({kChanged, b->path, b->kind, a->size, b->size});
    }
    if (!fresh) ++a;
    if (!gone) ++b;
  }
  return found;
}

}  // namespace yard::data
