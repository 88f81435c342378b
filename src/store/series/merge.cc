#include "store/series/merge.h"

#include <algorithm>

namespace yard::store {
namespace {

MetricPoint FirstOf(const StoredBlock& block) {
  if (block.head) return block.head->outline.first;
  return {.step = block.first_step, .time = Time{INT64_MIN}, .value = 0};
}

// Takes the blocks at the end that are no larger than what is to be written.
void AbsorbEnd(std::span<const StoredBlock> whole, Rewrite& tail) {
  std::uint64_t points = tail.fresh.size();
  while (!whole.empty()) {
    const StoredBlock& last = whole.back();
    if (last.points >= kFullBlock || last.points > points) return;
    points += last.points;
    tail.blocks.insert(tail.blocks.begin(), last);
    whole = whole.first(whole.size() - 1);
  }
}

}  // namespace

void SortBlocks(std::vector<StoredBlock>& blocks) {
  std::ranges::sort(blocks, {}, FirstOf);
}

std::vector<Rewrite> PlanMerge(std::span<const StoredBlock> blocks,
                               std::span<const MetricPoint> fresh) {
  std::vector<StoredBlock> whole;
  for (const StoredBlock& block : blocks) {
    if (block.head) whole.push_back(block);
  }
  std::vector<Rewrite> plan;
  bool last_is_rewritten = false;
  for (const StoredBlock& block : whole) {
    auto end = std::ranges::upper_bound(fresh, block.head->outline.last);
    last_is_rewritten = end != fresh.begin();
    if (!last_is_rewritten) continue;
    plan.push_back({.blocks = {block}, .fresh = {fresh.begin(), end}});
    fresh = fresh.subspan(static_cast<std::size_t>(end - fresh.begin()));
  }
  if (fresh.empty()) return plan;
  if (last_is_rewritten) {
    plan.back().fresh.insert(plan.back().fresh.end(), fresh.begin(), fresh.end());
    return plan;
  }
  Rewrite tail{.blocks = {}, .fresh = {fresh.begin(), fresh.end()}};
  AbsorbEnd(whole, tail);
  plan.push_back(std::move(tail));
  return plan;
}

std::vector<Rewrite> PlanCompaction(std::span<const StoredBlock> blocks) {
  std::vector<Rewrite> plan;
  Rewrite group;
  std::uint64_t points = 0;
  auto close = [&] {
    if (group.blocks.size() > 1) plan.push_back(std::move(group));
    group = {};
    points = 0;
  };
  for (const StoredBlock& block : blocks) {
    if (!block.head || points + block.points > kBlockPoints) close();
    if (!block.head) continue;
    group.blocks.push_back(block);
    points += block.points;
  }
  close();
  return plan;
}

std::vector<std::size_t> SplitSizes(std::size_t points) {
  std::vector<std::size_t> sizes;
  for (; points >= 2 * kBlockPoints; points -= kBlockPoints) sizes.push_back(kBlockPoints);
  if (points > kBlockPoints) {
    sizes.push_back(points - points / 2);
    points /= 2;
  }
  if (points > 0) sizes.push_back(points);
  return sizes;
}

}  // namespace yard::store
