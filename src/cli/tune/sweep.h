// A sweep in the form of Isaac Lab's JobCfg files: a class in a Python file, with the flags of its
// tuner.py.
//
// The user's own Python loads the file and hands the study to `gpuyard tune -`. The program carries
// the code for that (python/gpuyard/isaac), so that nothing has to be installed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/verb.h"
#include "client/client.h"

namespace yard::cli {

// What the flags say, as words for the Python side; it checks them.
struct SweepFlags {
  std::vector<std::string> words;
  std::string python = "python3";
};

bool IsSweep(const std::string& file);
void AddSweepFlags(Verb& verb, SweepFlags& flags);

// Runs the file's code. `words` are more flags; the exit code is the Python side's.
client::Outcome<void> TuneSweep(Session& session, const std::string& file, const SweepFlags& flags,
                                const std::vector<std::string>& words);

// A file of python/gpuyard/isaac.
struct SweepCode {
  const char* name;
  const char* text;
};
extern const std::array<SweepCode, 10> kSweepCode;

}  // namespace yard::cli
