#include "bench/tune/serve.h"

#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "tune/study.h"

namespace yard::bench {
namespace {

tune::Domain DomainOf(const std::string& kind) {
  std::vector<std::string> parts;
  for (std::string_view part : Split(kind, ':')) parts.emplace_back(part);
  if (parts[0] == "float") return tune::FloatDomain{0, 1};
  if (parts[0] == "int") return tune::IntDomain{std::stoll(parts[1]), std::stoll(parts[2])};
  std::vector<std::string> choices;
  for (int i = 0; i < std::stoi(parts[1]); ++i) choices.push_back(fmt::format("c{}", i));
  if (parts[0] == "cat") return tune::CategoricalDomain{choices};
  return tune::OrdinalDomain{choices};
}

class Session {
 public:
  void Line(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "space") ReadSpace(words);
    if (verb == "study") ReadStudy(words);
    if (verb == "ask") Ask();
    if (verb == "tell") Tell(words);
  }

 private:
  void ReadSpace(std::istringstream& words) {
    spec_ = {};
    std::string kind;
    while (words >> kind) {
      spec_.parameters.push_back({fmt::format("x{}", spec_.parameters.size()), DomainOf(kind)});
    }
  }

  void ReadStudy(std::istringstream& words) {
    std::string sampler;
    tune::StudyOptions options;
    std::size_t budget = 0;
    std::size_t objectives = 1;
    words >> sampler >> options.seed >> budget >> options.parallelism >> objectives;
    options.budget = budget;
    options.sampler = SamplerNamed(sampler).value();
    options.directions.assign(objectives, tune::Direction::kMinimize);
    study_.emplace(tune::Study::Make(tune::Space::Make(spec_).value(), options).value());
  }

  void Ask() {
    const tune::Trial& trial = study_->Ask();
    std::string text = fmt::format("{}", trial.number.value);
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
      text += fmt::format(" {:.17g}", *trial.configuration.At(i));
    }
    std::puts(text.c_str());
    std::fflush(stdout);
  }

  void Tell(std::istringstream& words) {
    tune::TrialNumber number;
    tune::Outcome outcome;
    words >> number.value;
    double value = 0;
    while (words >> value) outcome.values.push_back(value);
    if (Status told = study_->Tell(number, outcome); !told) {
      std::fprintf(stderr, "tell: %s\n", told.error().message.c_str());
    }
  }

  tune::Space::Spec spec_;
  std::optional<tune::Study> study_;
};

}  // namespace

Result<tune::SamplerKind> SamplerNamed(std::string_view name) {
  using tune::SamplerKind;
  static const std::map<std::string_view, SamplerKind> kNames = {
      {"auto", SamplerKind::kAuto},
      {"random", SamplerKind::kRandom},
      {"sobol", SamplerKind::kSobol},
      {"tpe", SamplerKind::kTpe},
      {"tpe-uni", SamplerKind::kTpeUnivariate},
      {"gp", SamplerKind::kGp},
      {"cma", SamplerKind::kCmaEs},
      {"nsga2", SamplerKind::kNsga2},
      {"nsga3", SamplerKind::kNsga3},
  };
  auto found = kNames.find(name);
  if (found == kNames.end()) return Fail(Code::kInvalid, fmt::format("no sampler '{}'", name));
  return found->second;
}

int Serve() {
  Session session;
  std::string line;
  while (std::getline(std::cin, line)) session.Line(line);
  return 0;
}

}  // namespace yard::bench
