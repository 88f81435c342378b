#include "tune/space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/refuse.h"
#include "tune/domain.h"

namespace yard::tune {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kHuge = std::size_t{1} << 40;
// How many random points are tried before constraints count as contradictory.
constexpr int kTries = 20000;

}  // namespace

class SpaceMaker {
 public:
  explicit SpaceMaker(Space::Spec spec) { space_.spec_ = std::move(spec); }

  Result<Space> Run() {
    for (const Parameter& parameter : space_.spec_.parameters) Add(parameter);
    for (const std::string& text : space_.spec_.constraints) {
      Parse("constraints", text, space_.constraints_);
    }
    for (const Derived& derived : space_.spec_.derived) {
      TakeName(derived.name);
      Parse(derived.name, derived.expression, space_.derived_);
    }
    if (space_.spec_.parameters.empty()) issues_.push_back({"parameters", "there is none"});
    YARD_TRY(RefuseFields(std::move(issues_)));
    YARD_TRY(FindOne());
    return std::move(space_);
  }

 private:
  void TakeName(const std::string& name) {
    if (name.empty()) issues_.push_back({"name", "a parameter has no name"});
    if (!names_.insert(name).second) issues_.push_back({name, "the name is used twice"});
  }

  void Add(const Parameter& parameter) {
    std::size_t index = space_.parents_.size();
    TakeName(parameter.name);
    std::string problem = DomainProblem(parameter.domain);
    if (!problem.empty()) issues_.push_back({parameter.name, problem});
    space_.parents_.push_back(FindParent(parameter, index));
    if (!problem.empty() || std::holds_alternative<ConstantDomain>(parameter.domain)) return;
    std::size_t levels = LevelsOf(parameter.domain);
    AxisKind kind = levels == 0 ? AxisKind::kContinuous : AxisKind::kDiscrete;
    if (std::holds_alternative<CategoricalDomain>(parameter.domain)) kind = AxisKind::kCategorical;
    space_.axes_.push_back({kind, index, levels, parameter.condition.has_value()});
  }

  std::optional<std::size_t> FindParent(const Parameter& parameter, std::size_t index) {
    if (!parameter.condition) return std::nullopt;
    std::optional<std::size_t> parent = space_.Find(parameter.condition->parent);
    if (!parent || *parent >= index) {
      issues_.push_back({parameter.name, fmt::format("its parent '{}' must stand before it",
                                                     parameter.condition->parent)});
      return std::nullopt;
    }
    for (double value : parameter.condition->values) {
      if (Contains(space_.spec_.parameters[*parent].domain, value)) continue;
      issues_.push_back({parameter.name, fmt::format("its parent '{}' never has the value {}",
                                                     parameter.condition->parent, value)});
    }
    if (parameter.condition->values.empty()) {
      issues_.push_back({parameter.name, "its condition names no value, so it never exists"});
    }
    return parent;
  }

  void Parse(const std::string& field, const std::string& text, std::vector<Expression>& into) {
    Result<Expression> expression = Expression::Parse(text);
    if (!expression) {
      issues_.push_back({field, expression.error().message});
      return;
    }
    for (const std::string& name : expression->Names()) {
      if (space_.Find(name)) continue;
      issues_.push_back({field, fmt::format("'{}' names no parameter '{}'", text, name)});
    }
    into.push_back(*std::move(expression));
  }

  Status FindOne() const {
    if (!space_.HasConstraints()) return {};
    Rng rng(0);
    if (space_.Satisfies(space_.Decode(space_.RandomPoint(rng)))) return {};
    std::optional<std::size_t> count = space_.Count();
    if (count && *count <= 1000000 && !space_.Enumerate(1).empty()) return {};
    return Fail(Code::kInvalid, "the constraints exclude every configuration that was tried",
                "check that they do not contradict each other");
  }

  Space space_;
  std::set<std::string> names_;
  std::vector<FieldIssue> issues_;
};

Result<Space> Space::Make(Spec spec) {
  return SpaceMaker(std::move(spec)).Run();
}

std::optional<std::size_t> Space::Find(std::string_view name) const {
  auto at = std::ranges::find(spec_.parameters, name, &Parameter::name);
  if (at == spec_.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(at - spec_.parameters.begin());
}

bool Space::Exists(std::size_t parameter, const Configuration& configuration) const {
  if (!parents_[parameter]) return true;
  std::optional<double> parent = configuration.At(*parents_[parameter]);
  if (!parent) return false;
  const std::vector<double>& values = spec_.parameters[parameter].condition->values;
  return std::ranges::find(values, *parent) != values.end();
}

Configuration Space::Decode(std::span<const double> point) const {
  Configuration configuration(spec_.parameters.size());
  std::size_t axis = 0;
  for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
    const Domain& domain = spec_.parameters[i].domain;
    bool constant = std::holds_alternative<ConstantDomain>(domain);
    double u = constant ? 0 : point[axis++];
    if (!Exists(i, configuration)) continue;
    configuration.Set(i, UnitToValue(domain, std::isnan(u) ? 0.5 : u));
  }
  return configuration;
}

Point Space::Encode(const Configuration& configuration) const {
  Point point;
  point.reserve(axes_.size());
  for (const Axis& axis : axes_) {
    std::optional<double> value = configuration.At(axis.parameter);
    point.push_back(value ? ValueToUnit(spec_.parameters[axis.parameter].domain, *value) : kAbsent);
  }
  return point;
}

Point Space::Snap(std::span<const double> point) const {
  return Encode(Decode(point));
}

Space::Cell Space::CellOf(std::size_t axis, double u) const {
  const Domain& domain = spec_.parameters[axes_[axis].parameter].domain;
  return LevelCell(domain, UnitToLevel(domain, u));
}

double Space::LevelAt(std::size_t axis, std::size_t level) const {
  if (axes_[axis].kind == AxisKind::kCategorical) return static_cast<double>(level);
  return LevelToUnit(spec_.parameters[axes_[axis].parameter].domain, level);
}

std::size_t Space::LevelOf(std::size_t axis, double u) const {
  if (axes_[axis].kind == AxisKind::kCategorical) return static_cast<std::size_t>(std::max(u, 0.0));
  return UnitToLevel(spec_.parameters[axes_[axis].parameter].domain, u);
}

double Space::Lookup(const Configuration& configuration, std::string_view word) const {
  if (word.starts_with('\'')) return TextValue(word.substr(1, word.size() - 2));
  std::size_t parameter = *Find(word);
  std::optional<double> value = configuration.At(parameter);
  if (!value) return kAbsent;
  std::span<const std::string> choices = ChoicesOf(spec_.parameters[parameter].domain);
  return choices.empty() ? *value : TextValue(choices[static_cast<std::size_t>(*value)]);
}

bool Space::Satisfies(const Configuration& configuration) const {
  auto lookup = [&](std::string_view word) { return Lookup(configuration, word); };
  return std::ranges::all_of(constraints_, [&](const Expression& constraint) {
    // A constraint on a parameter that does not exist here says nothing here.
    for (const std::string& name : constraint.Names()) {
      if (!configuration.At(*Find(name))) return true;
    }
    double value = constraint.Evaluate(lookup);
    return value != 0 && !std::isnan(value);
  });
}

std::vector<double> Space::DerivedValues(const Configuration& configuration) const {
  auto lookup = [&](std::string_view word) { return Lookup(configuration, word); };
  std::vector<double> values;
  values.reserve(derived_.size());
  for (const Expression& expression : derived_) values.push_back(expression.Evaluate(lookup));
  return values;
}

Status Space::Validate(const Configuration& configuration) const {
  if (configuration.size() != spec_.parameters.size()) {
    return Fail(Code::kInvalid, fmt::format("the space has {} parameters, the configuration {}",
                                            spec_.parameters.size(), configuration.size()));
  }
  std::vector<FieldIssue> issues;
  for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
    std::optional<double> value = configuration.At(i);
    const Parameter& parameter = spec_.parameters[i];
    bool exists = Exists(i, configuration);
    if (exists != value.has_value()) {
      issues.push_back({parameter.name, exists ? "a value is missing" : "it does not exist here"});
    } else if (value && !Contains(parameter.domain, *value)) {
      issues.push_back({parameter.name, fmt::format("{} is not in its domain", *value)});
    }
  }
  YARD_TRY(RefuseFields(std::move(issues)));
  if (!Satisfies(configuration)) return Fail(Code::kInvalid, "a constraint is not satisfied");
  return {};
}

bool Space::IsDiscrete() const {
  return std::ranges::none_of(axes_, [](const Axis& a) { return a.kind == AxisKind::kContinuous; });
}

bool Space::IsConditional() const {
  return std::ranges::any_of(axes_, &Axis::conditional);
}

std::optional<std::size_t> Space::Count() const {
  if (!IsDiscrete()) return std::nullopt;
  std::size_t count = 1;
  for (const Axis& axis : axes_) {
    if (axis.levels > kHuge / count) return std::nullopt;
    count *= axis.levels;
  }
  return count;
}

std::vector<Configuration> Space::Enumerate(std::size_t limit) const {
  std::vector<Configuration> found;
  std::vector<std::size_t> levels(axes_.size(), 0);
  while (found.size() < limit) {
    Point point(axes_.size());
    for (std::size_t i = 0; i < axes_.size(); ++i) point[i] = LevelAt(i, levels[i]);
    Configuration configuration = Decode(point);
    // Levels of absent parameters must not count one configuration twice.
    bool first = true;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (!configuration.At(axes_[i].parameter) && levels[i] != 0) first = false;
    }
    if (first && Satisfies(configuration)) found.push_back(std::move(configuration));
    std::size_t digit = axes_.size();
    while (digit > 0 && ++levels[digit - 1] == axes_[digit - 1].levels) levels[--digit] = 0;
    if (digit == 0) break;
  }
  return found;
}

Point Space::RandomPoint(Rng& rng) const {
  Point point(axes_.size());
  for (int attempt = 0; attempt < kTries; ++attempt) {
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const Axis& axis = axes_[i];
      point[i] = axis.kind == AxisKind::kCategorical ? static_cast<double>(rng.Below(axis.levels))
                                                     : rng.Uniform();
    }
    if (!HasConstraints() || Satisfies(Decode(point))) break;
  }
  return point;
}

std::string Space::Describe(std::size_t parameter, double value) const {
  std::span<const std::string> choices = ChoicesOf(spec_.parameters[parameter].domain);
  return choices.empty() ? fmt::format("{}", value) : choices[static_cast<std::size_t>(value)];
}

}  // namespace yard::tune
