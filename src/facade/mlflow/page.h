// Page tokens of lists: the number of entries before the page.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "facade/mlflow/fields.h"

namespace yard::facade::mlflow {

struct PageRange {
  std::size_t offset = 0;
  std::size_t limit = 0;
};

struct PageLimits {
  std::int64_t usual = 1000;
  std::int64_t most = 50'000;
};

// From `max_results` and `page_token`; notes what is wrong in the fields.
PageRange ReadPage(Fields& fields, PageLimits limits);
std::string NextToken(const PageRange& page);

}  // namespace yard::facade::mlflow
