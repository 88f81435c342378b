#include "tune/importance/fanova.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "tune/rng.h"
#include "tune/samplers/gp_surrogate.h"

namespace yard::tune {
namespace {

struct Leaf {
  std::vector<double> low;
  std::vector<double> high;
  double value = 0;
};

struct Rows {
  std::vector<std::vector<double>> x;  // in [0, 1]
  std::vector<double> y;
};

// Categories stand at equal distances.
std::vector<double> Cube(const Space& space, const Point& point) {
  std::vector<double> features = Features(space, point);
  for (std::size_t a = 0; a < features.size(); ++a) {
    const Axis& axis = space.axes()[a];
    if (axis.kind != AxisKind::kCategorical) continue;
    features[a] =
        (features[a] + 0.5) / static_cast<double>(axis.levels + (axis.conditional ? 1 : 0));
  }
  return features;
}

class Tree {
 public:
  Tree(const Rows& rows, const FanovaOptions& options, Rng& rng)
      : rows_(rows), options_(options), rng_(rng) {
    std::size_t n = rows.y.size();
    std::vector<std::size_t> sample(n);
    for (std::size_t& i : sample) i = rng.Below(n);
    std::size_t d = rows.x[0].size();
    Grow(std::move(sample), {std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)}, 0);
  }
  std::span<const Leaf> leaves() const { return leaves_; }

 private:
  struct Cut {
    std::size_t axis = 0;
    double at = 0;
    double gain = 0;
  };

  // The cut of one axis that lowers the sum of squares most.
  void Consider(std::vector<std::size_t>& sample, std::size_t axis, Cut& best) const {
    std::ranges::stable_sort(sample, {}, [&](std::size_t i) { return rows_.x[i][axis]; });
    double total = 0;
    for (std::size_t i : sample) total += rows_.y[i];
    auto n = static_cast<double>(sample.size());
    double left = 0;
    for (std::size_t k = 1; k < sample.size(); ++k) {
      left += rows_.y[sample[k - 1]];
      double before = rows_.x[sample[k - 1]][axis];
      double after = rows_.x[sample[k]][axis];
      bool large = k >= options_.least_leaf && sample.size() - k >= options_.least_leaf;
      if (before == after || !large) continue;
      auto count = static_cast<double>(k);
      double gain =
          left * left / count + (total - left) * (total - left) / (n - count) - total * total / n;
      if (gain > best.gain) best = {axis, (before + after) / 2, gain};
    }
  }

  void Grow(std::vector<std::size_t> sample, Leaf box, int depth) {
    Cut cut{0, 0, 1e-12};
    std::size_t d = rows_.x[0].size();
    // A part of the axes at each cut makes the trees differ.
    for (std::size_t axis = 0; depth < options_.depth && axis < d; ++axis) {
      if (d > 2 && rng_.Uniform() < 0.3) continue;
      Consider(sample, axis, cut);
    }
    if (cut.gain <= 1e-12) {
      for (std::size_t i : sample) box.value += rows_.y[i] / static_cast<double>(sample.size());
      leaves_.push_back(std::move(box));
      return;
    }
    std::vector<std::size_t> low;
    std::vector<std::size_t> high;
    for (std::size_t i : sample) (rows_.x[i][cut.axis] < cut.at ? low : high).push_back(i);
    Leaf low_box = box;
    low_box.high[cut.axis] = cut.at;
    box.low[cut.axis] = cut.at;
    Grow(std::move(low), std::move(low_box), depth + 1);
    Grow(std::move(high), std::move(box), depth + 1);
  }

  const Rows& rows_;
  const FanovaOptions& options_;
  Rng& rng_;
  std::vector<Leaf> leaves_;
};

double VolumeOf(const Leaf& leaf) {
  double volume = 1;
  for (std::size_t a = 0; a < leaf.low.size(); ++a) volume *= leaf.high[a] - leaf.low[a];
  return volume;
}

double MarginalVariance(std::span<const Leaf> leaves, std::size_t axis, double mean) {
  std::set<double> edges = {0, 1};
  for (const Leaf& leaf : leaves) edges.insert({leaf.low[axis], leaf.high[axis]});
  std::vector<double> cuts(edges.begin(), edges.end());
  std::vector<double> value(cuts.size() - 1, 0.0);
  for (const Leaf& leaf : leaves) {
    double others = VolumeOf(leaf) / (leaf.high[axis] - leaf.low[axis]);
    auto from =
        static_cast<std::size_t>(std::ranges::lower_bound(cuts, leaf.low[axis]) - cuts.begin());
    for (std::size_t c = from; c + 1 < cuts.size() && cuts[c] < leaf.high[axis]; ++c) {
      value[c] += others * leaf.value;
    }
  }
  double variance = 0;
  for (std::size_t c = 0; c < value.size(); ++c) {
    variance += (cuts[c + 1] - cuts[c]) * (value[c] - mean) * (value[c] - mean);
  }
  return variance;
}

}  // namespace

std::vector<double> Fanova(const Space& space, std::span<const Observation> observations,
                           const FanovaOptions& options) {
  std::vector<double> importance(space.axes().size(), 0.0);
  if (observations.size() < 4 || importance.empty()) return importance;
  Rows rows;
  rows.y = PenalisedLosses(observations);
  for (const Observation& o : observations) rows.x.push_back(Cube(space, o.x));
  Rng rng(options.seed);
  std::size_t counted = 0;
  for (std::size_t t = 0; t < options.trees; ++t) {
    Tree tree(rows, options, rng);
    double mean = 0;
    double variance = 0;
    for (const Leaf& leaf : tree.leaves()) mean += VolumeOf(leaf) * leaf.value;
    for (const Leaf& leaf : tree.leaves()) {
      variance += VolumeOf(leaf) * (leaf.value - mean) * (leaf.value - mean);
    }
    if (!(variance > 0)) continue;
    ++counted;
    for (std::size_t a = 0; a < importance.size(); ++a) {
      importance[a] += MarginalVariance(tree.leaves(), a, mean) / variance;
    }
  }
  for (double& i : importance) i /= static_cast<double>(std::max<std::size_t>(counted, 1));
  return importance;
}

}  // namespace yard::tune
