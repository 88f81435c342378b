// Which files of a folder stay out of a snapshot, as the ignore files in it say.
//
// `.gitignore` counts in its folder and below, with Git's rules; `.dockerignore` of the folder
// itself, with Docker's; `.gpuyardignore` of the folder itself comes last, with Git's. What matches
// last counts. Folders called `.git` are always left out. Ask for a folder before what it holds.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::cli {

// One line of an ignore file.
struct IgnoreRule {
  std::vector<std::string> parts;  // of the pattern, between slashes; "**" is any number of them
  bool brings_back = false;        // the line began with "!"
  bool folders_only = false;
};

enum class IgnoreGrammar { kGit, kDocker };
// Pure. Lines that say nothing are left out.
std::vector<IgnoreRule> ReadIgnoreRules(std::string_view text, IgnoreGrammar grammar);
// Pure. `path` is below the folder that the rule is about.
bool Matches(const IgnoreRule& rule, std::string_view path, bool is_folder);

class Ignore {
 public:
  // `outputs` are left out too: paths of the folder where work writes.
  Ignore(std::string root, std::vector<std::string> outputs);

  // Whether the path, and all below it if it is a folder, stays out.
  bool Skips(const std::string& path, bool is_folder);
  // Ignore files that could not be read.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  const std::vector<IgnoreRule>& RulesIn(const std::string& folder);
  std::string TextOf(const std::string& path);

  const std::string root_;
  const std::vector<std::string> outputs_;
  std::vector<std::string> problems_;
  std::map<std::string, std::vector<IgnoreRule>> by_folder_;  // of .gitignore
  std::vector<IgnoreRule> docker_;
  std::vector<IgnoreRule> own_;
  bool docker_brings_back_ = false;
};

}  // namespace yard::cli
