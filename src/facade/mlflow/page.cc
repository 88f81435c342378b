#include "facade/mlflow/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::facade::mlflow {

PageRange ReadPage(Fields& fields, PageLimits limits) {
  std::int64_t wanted = fields.Int("max_results", limits.usual);
  if (wanted < 1 || wanted > limits.most) {
    fields.Wrong("max_results", fmt::format("must be between 1 and {}", limits.most));
  }
  PageRange page{.limit =
                     static_cast<std::size_t>(std::clamp(wanted, std::int64_t{1}, limits.most))};
  std::string token = fields.Text("page_token");
  if (token.empty()) return page;
  std::optional<std::int64_t> offset = ParseInt(token);
  if (!offset || *offset < 0) fields.Wrong("page_token", "is not one that this server gave");
  page.offset = static_cast<std::size_t>(std::max<std::int64_t>(0, offset.value_or(0)));
  return page;
}

std::string NextToken(const PageRange& page) {
  return std::to_string(page.offset + page.limit);
}

}  // namespace yard::facade::mlflow
