// MLflow's search language: `metrics.loss < 0.1 AND tags."my tag" LIKE 'a%'`, and its orders,
// `metrics.loss DESC`.
//
// Pure functions; an error says where the text cannot be read.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/track/query.h"

namespace yard::facade::mlflow {

// An attribute of the things searched for, under one of its names.
struct AttributeName {
  enum class Type { kText, kNumber };
  std::string_view name;
  std::string_view key;  // as the search knows it
  Type type = Type::kText;
};

enum class Sections { kAttributesAndTags, kAll };

struct Vocabulary {
  std::span<const AttributeName> attributes;
  Sections sections = Sections::kAll;
};

// A search looks at each of them for every run: kInvalid beyond what a person would write.
inline constexpr std::size_t kMostFilterBytes = 64 * 1024;
inline constexpr std::size_t kMostConditions = 50;
inline constexpr std::size_t kMostListed = 1000;        // texts behind one IN
inline constexpr std::size_t kMostPatternBytes = 1000;  // behind LIKE and ILIKE
inline constexpr std::size_t kMostOrders = 10;
Status CheckOrders(std::size_t count);

Result<std::vector<control::Condition>> ParseFilter(std::string_view text,
                                                    const Vocabulary& vocabulary);
Result<control::Order> ParseOrder(std::string_view text, const Vocabulary& vocabulary);

}  // namespace yard::facade::mlflow
