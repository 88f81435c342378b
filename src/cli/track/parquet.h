// A Parquet file of one table, for programs that read columns with their types.
//
// A pure function. Plain pages without compression, every column optional; rows are cut into groups
// so that no page grows beyond what readers take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"

namespace yard::cli {

template <class T>
using ParquetValues = std::vector<std::optional<T>>;

struct ParquetColumn {
  std::string name;  // unique in its table
  std::variant<ParquetValues<std::string>, ParquetValues<double>, ParquetValues<std::int64_t>,
               ParquetValues<Time>>
      values;
};

// All columns have the same number of values. `group_rows` is for tests.
std::string RenderParquet(const std::vector<ParquetColumn>& columns,
                          std::size_t group_rows = 65'536);

}  // namespace yard::cli
