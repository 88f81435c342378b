#include <array>

#include "wire/study.h"

namespace yard::wire {
namespace {

template <class E, std::size_t N>
using Table = std::array<EnumName<E>, N>;

constexpr Table<StudyState, 4> kStates{{{StudyState::kRunning, "Running"},
                                        {StudyState::kPaused, "Paused"},
                                        {StudyState::kCompleted, "Completed"},
                                        {StudyState::kStopped, "Stopped"}}};
constexpr Table<TrialPhase, 4> kPhases{{{TrialPhase::kRunning, "Running"},
                                        {TrialPhase::kComplete, "Complete"},
                                        {TrialPhase::kPruned, "Pruned"},
                                        {TrialPhase::kFailed, "Failed"}}};
constexpr Table<ParameterKind, 5> kKinds{{{ParameterKind::kFloat, "float"},
                                          {ParameterKind::kInt, "int"},
                                          {ParameterKind::kCategorical, "categorical"},
                                          {ParameterKind::kOrdinal, "ordinal"},
                                          {ParameterKind::kConstant, "constant"}}};
constexpr Table<StudySampler, 10> kSamplers{{{StudySampler::kAuto, "auto"},
                                             {StudySampler::kRandom, "random"},
                                             {StudySampler::kGrid, "grid"},
                                             {StudySampler::kSobol, "sobol"},
                                             {StudySampler::kTpe, "tpe"},
                                             {StudySampler::kTpeUnivariate, "tpe-univariate"},
                                             {StudySampler::kGp, "gp"},
                                             {StudySampler::kCmaEs, "cma-es"},
                                             {StudySampler::kNsga2, "nsga2"},
                                             {StudySampler::kNsga3, "nsga3"}}};
constexpr Table<PrunerKind, 9> kPruners{{{PrunerKind::kNone, "none"},
                                         {PrunerKind::kMedian, "median"},
                                         {PrunerKind::kPercentile, "percentile"},
                                         {PrunerKind::kAsha, "asha"},
                                         {PrunerKind::kHyperband, "hyperband"},
                                         {PrunerKind::kPatient, "patient"},
                                         {PrunerKind::kThreshold, "threshold"},
                                         {PrunerKind::kWilcoxon, "wilcoxon"},
                                         {PrunerKind::kPbt, "pbt"}}};
constexpr Table<Aim, 2> kAims{{{Aim::kMinimize, "minimize"}, {Aim::kMaximize, "maximize"}}};
constexpr Table<ResultRule, 2> kResults{{{ResultRule::kLast, "last"}, {ResultRule::kBest, "best"}}};

}  // namespace

template <>
std::span<const EnumName<StudyState>> NamesOf() {
  return kStates;
}
template <>
std::span<const EnumName<TrialPhase>> NamesOf() {
  return kPhases;
}
template <>
std::span<const EnumName<ParameterKind>> NamesOf() {
  return kKinds;
}
template <>
std::span<const EnumName<StudySampler>> NamesOf() {
  return kSamplers;
}
template <>
std::span<const EnumName<PrunerKind>> NamesOf() {
  return kPruners;
}
template <>
std::span<const EnumName<Aim>> NamesOf() {
  return kAims;
}
template <>
std::span<const EnumName<ResultRule>> NamesOf() {
  return kResults;
}

}  // namespace yard::wire
