#include "sched/place/frag_learner.h"

namespace yard::sched::frag {
namespace {

constexpr std::int64_t kMemory = 1 << 16;  // tasks

}  // namespace

bool MixLearner::Observe(const TaskShape& task) {
  ++counts_[task];
  ++total_;
  if (total_ >= kMemory) Fade();
  if (total_ < next_) return false;
  next_ = total_ + total_ / 2;
  return true;
}

ShapeMix MixLearner::Mix() const {
  ShapeMix mix;
  mix.reserve(counts_.size());
  for (const auto& [shape, count] : counts_) mix.push_back({shape, count});
  return mix;
}

void MixLearner::Fade() {
  total_ = 0;
  for (auto it = counts_.begin(); it != counts_.end();) {
    it->second /= 2;
    total_ += it->second;
    it = it->second == 0 ? counts_.erase(it) : std::next(it);
  }
  next_ = total_;
}

}  // namespace yard::sched::frag
