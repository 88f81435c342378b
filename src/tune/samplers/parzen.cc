#include "tune/samplers/parzen.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tune/numerics/normal.h"

namespace yard::tune {
namespace {

constexpr std::size_t kFullWeights = 25;
constexpr std::size_t kBlock = 256;  // kernels that stay in the cache while every point visits them
constexpr double kNegligible = 37;   // e^-37 does not change a sum in double precision

double MinWidth(std::size_t kernels) {
  return 1.0 / static_cast<double>(std::min<std::size_t>(100, kernels + 1));
}

// log of a sum of exponentials, most of which are left out because they do not count.
class LogSum {
 public:
  void Add(std::span<const double> values) {
    double largest = *std::ranges::max_element(values);
    if (largest > largest_) {
      sum_ *= std::exp(largest_ - largest);
      largest_ = largest;
    }
    for (double v : values) {
      if (v > largest_ - kNegligible) sum_ += std::exp(v - largest_);
    }
  }
  double Value() const { return largest_ + std::log(sum_); }

 private:
  double largest_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
};

}  // namespace

std::vector<double> AgeWeights(std::size_t trials) {
  std::vector<double> weights(trials + 1, 1.0);
  if (trials > kFullWeights) {
    std::size_t ramp = trials - kFullWeights;
    double first = 1.0 / static_cast<double>(trials);
    for (std::size_t i = 0; i < ramp; ++i) {
      double part = ramp == 1 ? 0 : static_cast<double>(i) / static_cast<double>(ramp - 1);
      weights[i] = first + (1 - first) * part;
    }
  }
  double total = 0;
  for (double w : weights) total += w;
  for (double& w : weights) w /= total;
  return weights;
}

std::vector<double> GapWidths(std::span<const double> sorted) {
  std::size_t n = sorted.size();
  std::vector<double> widths(n);
  double least = MinWidth(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    double left = i > 0 ? sorted[i] - sorted[i - 1] : 0;
    double right = i + 1 < n ? sorted[i + 1] - sorted[i] : 0;
    if (n == 1) {
      left = sorted[i];
      right = 1 - sorted[i];
    }
    widths[i] = std::clamp(std::max(left, right), least, 1.0);
  }
  return widths;
}

double CommonWidth(std::size_t trials, std::size_t axes) {
  auto n = static_cast<double>(std::max<std::size_t>(trials, 1));
  double width = 0.2 * std::pow(n, -1.0 / (static_cast<double>(axes) + 4));
  return std::clamp(width, MinWidth(trials + 1), 1.0);
}

double LogNormOf(double centre, double width) {
  double low = -centre / width;
  double high = (1 - centre) / width;
  // Six widths inside, nothing is cut off.
  double log_mass = low < -6 && high > 6 ? 0 : LogNormalMass(low, high);
  return -std::log(width) - log_mass;
}

ParzenMixture::ParzenMixture(const Space& space, std::vector<AxisKernels> axes,
                             std::vector<double> weights)
    : space_(space), axes_(std::move(axes)), weights_(std::move(weights)) {
  base_.resize(weights_.size());
  for (std::size_t k = 0; k < base_.size(); ++k) base_[k] = std::log(weights_[k]);
  for (const AxisKernels& axis : axes_) {
    if (axis.kind != AxisKind::kContinuous) continue;
    for (std::size_t k = 0; k < base_.size(); ++k) base_[k] += axis.log_norm[k];
  }
}

double ParzenMixture::DrawAxis(const AxisKernels& axis, std::size_t kernel, Rng& rng) const {
  std::size_t levels = space_.axes()[axis.axis].levels;
  bool prior = kernel + 1 == weights_.size();
  if (axis.kind == AxisKind::kCategorical) {
    // The own category with weight 1 + 1/kernels, every other with 1/kernels.
    double share = 1.0 / static_cast<double>(weights_.size());
    double own = 1 / (1 + share * static_cast<double>(levels));
    if (!prior && rng.Uniform() < own) return axis.centre[kernel];
    return static_cast<double>(rng.Below(levels));
  }
  double centre = axis.centre[kernel];
  double width = axis.kind == AxisKind::kContinuous ? 1 / axis.inverse[kernel] : axis.width;
  if (axis.kind == AxisKind::kDiscrete) {
    if (prior) return space_.LevelAt(axis.axis, rng.Below(levels));
    centre = space_.LevelAt(axis.axis, static_cast<std::size_t>(centre));
  }
  double u = centre + width * TruncatedNormal(-centre / width, (1 - centre) / width, rng.Uniform());
  u = std::clamp(u, 0.0, 1.0);
  if (axis.kind == AxisKind::kContinuous) return u;
  return space_.LevelAt(axis.axis, space_.LevelOf(axis.axis, u));
}

void ParzenMixture::Draw(Rng& rng, Point& point) const {
  std::size_t kernel = rng.Pick(weights_);
  for (const AxisKernels& axis : axes_) point[axis.axis] = DrawAxis(axis, kernel, rng);
}

// log of the mass that a kernel centred at each level gives to `level`; for the prior one more.
std::vector<double> ParzenMixture::LevelTable(const AxisKernels& axis, std::size_t level) const {
  std::size_t levels = space_.axes()[axis.axis].levels;
  std::vector<double> table(levels + 1);
  auto count = static_cast<double>(levels);
  table[levels] = -std::log(count);
  if (axis.kind == AxisKind::kCategorical) {
    double share = 1.0 / static_cast<double>(weights_.size());
    double total = 1 + share * count;
    for (std::size_t l = 0; l < levels; ++l) {
      table[l] = std::log((share + (l == level ? 1 : 0)) / total);
    }
    return table;
  }
  Space::Cell cell = space_.CellOf(axis.axis, space_.LevelAt(axis.axis, level));
  for (std::size_t l = 0; l < levels; ++l) {
    double centre = space_.LevelAt(axis.axis, l);
    double inside =
        LogNormalMass((cell.low - centre) / axis.width, (cell.high - centre) / axis.width);
    // LogNormOf is -log(width · mass).
    table[l] = inside + LogNormOf(centre, axis.width) + std::log(axis.width);
  }
  return table;
}

void ParzenMixture::AddLevels(const AxisKernels& axis, std::span<const Point> points,
                              Tables& tables, Block& block) const {
  tables.resize(space_.axes()[axis.axis].levels);
  for (std::size_t p = 0; p < points.size(); ++p) {
    std::size_t level = space_.LevelOf(axis.axis, points[p][axis.axis]);
    // Many points share a level.
    if (tables[level].empty()) tables[level] = LevelTable(axis, level);
    const double* table = tables[level].data();
    double* sum = &block.sums[p * kBlock];
    for (std::size_t k = block.from; k < block.to; ++k) {
      sum[k - block.from] += table[static_cast<std::size_t>(axis.centre[k])];
    }
  }
}

void ParzenMixture::AddContinuous(const AxisKernels& axis, std::span<const Point> points,
                                  Block& block) const {
  const double* centre = axis.centre.data() + block.from;
  const double* inverse = axis.inverse.data() + block.from;
  std::size_t size = block.to - block.from;
  for (std::size_t p = 0; p < points.size(); ++p) {
    double x = points[p][axis.axis];
    double* sum = &block.sums[p * kBlock];
    for (std::size_t k = 0; k < size; ++k) {
      double z = (x - centre[k]) * inverse[k];
      sum[k] -= 0.5 * z * z;
    }
  }
}

std::vector<double> ParzenMixture::LogDensity(std::span<const Point> points) const {
  std::vector<LogSum> totals(points.size());
  std::vector<Tables> tables(axes_.size());
  Block block{std::vector<double>(points.size() * kBlock)};
  for (block.from = 0; block.from < weights_.size(); block.from = block.to) {
    block.to = std::min(block.from + kBlock, weights_.size());
    std::size_t size = block.to - block.from;
    for (std::size_t p = 0; p < points.size(); ++p) {
      std::copy_n(&base_[block.from], size, &block.sums[p * kBlock]);
    }
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (axes_[a].kind == AxisKind::kContinuous) {
        AddContinuous(axes_[a], points, block);
      } else {
        AddLevels(axes_[a], points, tables[a], block);
      }
    }
    for (std::size_t p = 0; p < points.size(); ++p) {
      totals[p].Add(std::span(block.sums).subspan(p * kBlock, size));
    }
  }
  std::vector<double> densities;
  for (const LogSum& total : totals) densities.push_back(total.Value());
  return densities;
}

}  // namespace yard::tune
