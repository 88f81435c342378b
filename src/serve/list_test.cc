#include "serve/list.h"

#include <gtest/gtest.h>

namespace yard::serve {
namespace {

struct Dog {
  std::string name;
  std::int64_t age;
};

constexpr Column<Dog> kColumns[] = {
    {"name", [](const Dog& d) -> Cell { return std::string_view(d.name); }, true},
    {"age", [](const Dog& d) -> Cell { return d.age; }},
};

std::string Names(const QueryPairs& query) {
  static const std::vector<Dog> dogs{{"rex", 3}, {"bella", 7}, {"Max", 3}, {"luna", 1}};
  std::vector<const Dog*> rows;
  for (const Dog& dog : dogs) rows.push_back(&dog);
  std::span<const Column<Dog>> columns = kColumns;
  auto parsed = ParseListQuery(query, ColumnNames(columns));
  if (!parsed) return parsed.error().message;
  Page<Dog> page = Select(rows, columns, *parsed);
  std::string out;
  for (const Dog* dog : page.rows) out += dog->name + " ";
  if (page.next) out += "next " + std::to_string(*page.next);
  return out;
}

TEST(List, KeepsItsOwnOrderWhenNotSorted) {
  EXPECT_EQ(Names({}), "rex bella Max luna ");
}

TEST(List, SortsWithEqualRowsInOrderAndDescendingIsTheReverse) {
  EXPECT_EQ(Names({{"sortBy", "age"}}), "luna rex Max bella ");
  EXPECT_EQ(Names({{"sortBy", "age"}, {"sortOrder", "desc"}}), "bella Max rex luna ");
}

TEST(List, SortsByMoreThanTheHeadOfATextAndByNegativeNumbers) {
  const std::vector<Dog> dogs{{"the same first sixteen: b", -3},
                              {"the same first sixteen: a", 2},
                              {"the same", -7},
                              {"the same first sixteen", 0}};
  auto order = [&](const std::string& column) {
    ListQuery query{.sort_by = column};
    std::string ages;
    for (const Dog* dog :
         Select(Pointers(dogs), std::span<const Column<Dog>>(kColumns), query).rows)
      ages += std::to_string(dog->age) + " ";
    return ages;
  };
  EXPECT_EQ(order("name"), "-7 0 2 -3 ");
  EXPECT_EQ(order("age"), "-7 -3 0 2 ");
}

TEST(List, Filters) {
  EXPECT_EQ(Names({{"filterBy", "age==3,name!=rex"}}), "Max ");
  EXPECT_EQ(Names({{"filterBy", "age>=3"}}), "rex bella Max ");
  EXPECT_EQ(Names({{"filterBy", "name=@A"}}), "bella Max luna ");
  EXPECT_EQ(Names({{"filterBy", "name=^b"}}), "bella ");
  EXPECT_EQ(Names({{"filterBy", "name=$A"}}), "bella luna ");
  EXPECT_EQ(Names({{"filterBy", "name!@a"}}), "rex ");
}

TEST(List, Pages) {
  EXPECT_EQ(Names({{"limit", "2"}}), "rex bella next 2");
  EXPECT_EQ(Names({{"limit", "2"}, {"offset", "2"}, {"sortBy", "name"}}), "luna rex ");
  EXPECT_EQ(Names({{"offset", "99"}}), "");
}

TEST(List, Searches) {
  EXPECT_EQ(Names({{"search", "ma"}}), "Max ");
}

TEST(List, RefusesWhatItDoesNotUnderstandAndSaysWhy) {
  EXPECT_EQ(Names({{"filterBy", "nam==x"}}),
            "filterBy: there is no field 'nam'; did you mean 'name'?");
  EXPECT_EQ(Names({{"filterBy", "name"}}), "filterBy: 'name' is not a condition");
  EXPECT_EQ(Names({{"limit", "0"}}), "limit must be a whole number from 1 to 500");
  EXPECT_EQ(Names({{"sortOrder", "up"}}), "sortOrder must be asc or desc");
}

TEST(List, ComparesTimesByValue) {
  Condition condition{"at", Compare::kAtLeast, "1970-01-01T01:00:00+01:00"};
  EXPECT_TRUE(Matches(condition, Cell(Time{0})));
  EXPECT_FALSE(Matches(condition, Cell(Time{-1})));
}

}  // namespace
}  // namespace yard::serve
