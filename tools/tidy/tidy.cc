#include "tools/tidy/tidy.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "tools/tidy/calls.h"
#include "tools/tidy/headers.h"
#include "tools/tidy/layers.h"
#include "tools/tidy/text.h"

namespace yard::tools {

Report CheckTree(std::span<const SourceFile> files) {
  Report report;
  report.files = static_cast<int>(files.size());
  std::vector<Source> sources;
  for (const SourceFile& file : files) {
    CheckLeftovers(file, report.findings);
    if (!IsCpp(file.path)) continue;
    CheckName(file, report.findings);
    sources.push_back(ParseSource(file));
  }
  for (const Source& source : sources) {
    CheckLayers(source, report.findings);
    CheckCalls(source, report.findings);
    report.long_functions += CheckSizes(source, report.findings);
  }
  CheckLayerTable(sources, report.findings);
  CheckHeaders(sources, report.findings);
  std::ranges::sort(report.findings, {}, [](const Finding& finding) {
    return std::tie(finding.path, finding.line, finding.rule, finding.message);
  });
  return report;
}

std::string Format(const Finding& finding) {
  return fmt::format("{}:{}: {}: {}", finding.path, finding.line, finding.rule, finding.message);
}

}  // namespace yard::tools
