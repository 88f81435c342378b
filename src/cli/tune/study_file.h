// A file that describes a study, as people write it, made into what the API takes.
//
//   name: ppo
//   metric: reward
//   direction: maximize
//   parameters:
//     lr: {low: 1e-5, high: 1e-1, log: true}
//     optimizer: [adam, sgd]
//   trials: 50
//   command: python train.py --lr ${lr} --optimizer ${optimizer}
//   gpu: 0.5
//
// Pure; kInvalid names the field.
#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"

namespace yard::cli {

struct StudyFile {
  std::string name;
  std::string project;  // empty: the one in use
  std::string spec;     // JSON, as the API takes it
};

// `folder` is where plain commands run unless the file says otherwise; empty: not said.
Result<StudyFile> ReadStudyFile(const json::value& file, const std::string& folder);

}  // namespace yard::cli
