// Which blocks new points belong to.
//
// The blocks of a series hold separate ranges of its order. New points that fall into a block are
// merged with it; those after the last block begin a new one, together with small blocks at the end
// as long as these are no larger: so every point is written again only a few times, and points that
// come late cost one block each. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "store/series/block.h"

namespace yard::store {

struct StoredBlock {
  std::int64_t id = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::uint64_t points = 0;
  std::optional<BlockHead> head;  // none if it is damaged
};

// These blocks and these points become new blocks.
struct Rewrite {
  std::vector<StoredBlock> blocks;
  std::vector<MetricPoint> fresh;
};

// A block of at least this many points is left alone at the end of a series.
constexpr std::size_t kFullBlock = kBlockPoints / 2;

// By their first points; damaged ones by their first step.
void SortBlocks(std::vector<StoredBlock>& blocks);

// `blocks` are sorted and reach to the end of the series; `fresh` is sorted, none twice. Damaged
// blocks are in no rewrite.
std::vector<Rewrite> PlanMerge(std::span<const StoredBlock> blocks,
                               std::span<const MetricPoint> fresh);

// Neighbours that are small enough to be one block.
std::vector<Rewrite> PlanCompaction(std::span<const StoredBlock> blocks);

// Sizes of the blocks for this many points: none above kBlockPoints, and small ones only alone.
std::vector<std::size_t> SplitSizes(std::size_t points);

}  // namespace yard::store
