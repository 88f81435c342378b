// The search space: parameters, the conditions under which they exist, constraints, derived values.
//
// A parameter has a domain. Inside the library every value is a number: a float or an integer as it
// is, a categorical or ordinal value as the index of its choice. A parameter with a condition
// exists only where its parent, which stands before it, has one of the given values; elsewhere it
// is absent. A configuration is one value for every parameter that exists.
//
// Samplers see axes, not parameters: each maps to [0, 1], discrete values in the middle of equal
// cells (half a step beyond the bounds on either side, logarithms for a log scale), categorical
// values as indices. Constants have no axis.
//
// A Space is immutable and valid once made. Thread rule: none needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "tune/expression.h"
#include "tune/rng.h"

namespace yard::tune {

enum class Scale { kLinear, kLog };

struct FloatDomain {
  double low = 0;
  double high = 1;
  Scale scale = Scale::kLinear;
  std::optional<double> step = {};  // from low; linear scale only
};
struct IntDomain {
  std::int64_t low = 0;
  std::int64_t high = 1;
  Scale scale = Scale::kLinear;
  std::int64_t step = 1;  // 1 on a log scale
};
// Choices without an order.
struct CategoricalDomain {
  std::vector<std::string> choices;
};
// Choices in an order, from least to most.
struct OrdinalDomain {
  std::vector<std::string> choices;
};
struct ConstantDomain {
  std::string value;
};
using Domain =
    std::variant<FloatDomain, IntDomain, CategoricalDomain, OrdinalDomain, ConstantDomain>;

// The parameter exists only where `parent` exists and has one of these values.
struct Condition {
  std::string parent;
  std::vector<double> values;  // indices for categorical and ordinal parents
};

struct Parameter {
  std::string name;
  Domain domain;
  std::optional<Condition> condition = {};
};

// Computed once for each configuration, so that every repeat of it has the same.
struct Derived {
  std::string name;
  std::string expression;
};

// Absent values are kept as NaN inside and shown as nothing outside.
class Configuration {
 public:
  Configuration() = default;
  explicit Configuration(std::size_t size);
  std::size_t size() const { return values_.size(); }
  std::optional<double> At(std::size_t parameter) const;
  void Set(std::size_t parameter, double value) { values_[parameter] = value; }
  void Clear(std::size_t parameter);
  bool operator==(const Configuration& other) const;

 private:
  std::vector<double> values_;
};

enum class AxisKind { kContinuous, kDiscrete, kCategorical };

// How samplers see one parameter.
struct Axis {
  AxisKind kind = AxisKind::kContinuous;
  std::size_t parameter = 0;
  std::size_t levels = 0;  // of a discrete or categorical axis
  bool conditional = false;
  bool operator==(const Axis&) const = default;
};

// Coordinates on every axis: in [0, 1], or the index of a category; NaN where the parameter is
// absent.
using Point = std::vector<double>;

class Space {
 public:
  struct Spec {
    std::vector<Parameter> parameters;
    std::vector<std::string> constraints;  // each must be true (not 0)
    std::vector<Derived> derived;
  };
  // Refuses empty domains, unknown or later parents, bad expressions, names used twice, and
  // constraints that no configuration was found to satisfy.
  static Result<Space> Make(Spec spec);

  std::span<const Parameter> parameters() const { return spec_.parameters; }
  std::span<const Axis> axes() const { return axes_; }
  const Spec& spec() const { return spec_; }
  std::optional<std::size_t> Find(std::string_view name) const;

  // Snaps to steps, drops absent parameters. Coordinates of absent parents' children are ignored;
  // a missing coordinate of a parameter that exists counts as the middle.
  Configuration Decode(std::span<const double> point) const;
  Point Encode(const Configuration& configuration) const;
  // The nearest point that some configuration has: Encode(Decode(point)).
  Point Snap(std::span<const double> point) const;
  // The cell of [0, 1] that is rounded to the same value as `u`; discrete axes only.
  struct Cell {
    double low = 0;
    double high = 1;
  };
  Cell CellOf(std::size_t axis, double u) const;
  double LevelAt(std::size_t axis, std::size_t level) const;  // its coordinate
  std::size_t LevelOf(std::size_t axis, double u) const;

  bool Satisfies(const Configuration& configuration) const;
  bool HasConstraints() const { return !constraints_.empty(); }
  std::vector<double> DerivedValues(const Configuration& configuration) const;
  // Why this is no configuration of the space; success if it is one.
  Status Validate(const Configuration& configuration) const;

  bool IsDiscrete() const;     // no continuous axis
  bool IsConditional() const;  // some parameter has a condition
  // Number of configurations of a discrete space, constraints apart; nothing if continuous or huge.
  std::optional<std::size_t> Count() const;
  // All of them in a fixed order, with constraints applied; at most `limit`.
  std::vector<Configuration> Enumerate(std::size_t limit) const;
  Point RandomPoint(Rng& rng) const;  // uniform; satisfies the constraints if one is found

  std::string Describe(std::size_t parameter, double value) const;  // "0.01", "adam"

 private:
  friend class SpaceMaker;
  bool Exists(std::size_t parameter, const Configuration& configuration) const;
  double Lookup(const Configuration& configuration, std::string_view word) const;

  Spec spec_;
  std::vector<Axis> axes_;
  std::vector<std::optional<std::size_t>> parents_;  // by parameter
  std::vector<Expression> constraints_;
  std::vector<Expression> derived_;
};

}  // namespace yard::tune
