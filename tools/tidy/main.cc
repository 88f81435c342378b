// tidy ROOT: checks the repository at ROOT; exit status 1 if something is found.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "tools/tidy/text.h"
#include "tools/tidy/tidy.h"

namespace yard::tools {
namespace {

namespace fs = std::filesystem;

bool IsText(const fs::path& path) {
  constexpr std::array<std::string_view, 13> kEndings = {".cc",  ".h",    ".c",  ".cmake", ".txt",
                                                         ".md",  ".sh",   ".py", ".ts",    ".tsx",
                                                         ".css", ".yaml", ".yml"};
  if (std::ranges::find(kEndings, path.extension().string()) != kEndings.end()) return true;
  return path.filename() == "dev" || path.filename() == "run";
}

// What git knows or would add; nothing if this is no git checkout.
std::optional<std::vector<std::string>> ListByGit(const std::string& root) {
  std::string command =
      fmt::format("git -C '{}' ls-files -z --cached --others --exclude-standard 2>/dev/null", root);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string output;
  std::array<char, 4096> buffer{};
  while (std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), n);
  }
  if (pclose(pipe) != 0 || output.empty()) return std::nullopt;
  std::vector<std::string> paths;
  for (std::string_view path : Split(output, '\0')) {
    if (!path.empty()) paths.emplace_back(path);
  }
  return paths;
}

std::vector<std::string> ListByWalk(const std::string& root) {
  std::vector<std::string> paths;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator();
       ++at) {
    std::string name = at->path().filename().string();
    if (at->is_directory() && (name == "build" || name == ".git" || name == "node_modules")) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file()) {
      paths.push_back(fs::relative(at->path(), root).string());
    }
  }
  return paths;
}

std::vector<SourceFile> ReadTree(const std::string& root) {
  std::vector<std::string> paths = ListByGit(root).value_or(std::vector<std::string>{});
  if (paths.empty()) paths = ListByWalk(root);
  std::vector<SourceFile> files;
  for (const std::string& path : paths) {
    fs::path full = fs::path(root) / path;
    // A tracked file may be deleted in the work tree.
    if (!IsText(full) || !fs::is_regular_file(full)) continue;
    std::ifstream in(full, std::ios::binary);
    files.push_back({path, std::string(std::istreambuf_iterator<char>(in), {})});
  }
  return files;
}

int Run(const std::string& root) {
  Report report = CheckTree(ReadTree(root));
  for (const Finding& finding : report.findings) fmt::print("{}\n", Format(finding));
  fmt::print("tidy: {} files, {} findings, {} functions over {} lines\n", report.files,
             report.findings.size(), report.long_functions, kFunctionLinesWanted);
  return report.findings.empty() && report.files > 0 ? 0 : 1;
}

}  // namespace
}  // namespace yard::tools

int main(int argc, char** argv) {
  return yard::tools::Run(argc > 1 ? argv[1] : ".");
}
