#include "control/study/journals.h"

#include <gtest/gtest.h>

namespace yard::control {
namespace {

const JournalKey kOurs{ProjectId{1}, "ours"};

std::vector<std::string> Texts(const JournalPage& page) {
  std::vector<std::string> texts;
  texts.reserve(page.entries.size());
  for (const auto& entry : page.entries) texts.push_back(*entry);
  return texts;
}

JournalAppend Append(std::string id, std::vector<std::string> entries) {
  return {.key = kOurs, .id = std::move(id), .entries = std::move(entries)};
}

// As one round of the studies does it.
void Change(StudyJournals& journals, const JournalChange& change) {
  ASSERT_TRUE(journals.RowsOf(change, {}).has_value());
  journals.Apply(change);
}

TEST(StudyJournals, EntriesKeepTheirOrderAndAreReadFromAnyOfThem) {
  StudyJournals journals;
  Change(journals, Append("a", {"1", "2"}));
  Change(journals, Append("b", {"3"}));
  EXPECT_EQ(Texts(journals.Read(kOurs, 1)), (std::vector<std::string>{"2", "3"}));
  EXPECT_EQ(journals.Read(kOurs, 9).total, 3U);
  EXPECT_EQ(journals.Read(kOurs, 9).next, 3U);
  EXPECT_EQ(journals.Read({ProjectId{2}, "ours"}, 0).total, 0U);
}

TEST(StudyJournals, AnAppendThatIsSentAgainHasNoRows) {
  StudyJournals journals;
  EXPECT_EQ(journals.RowsOf(Append("a", {"1"}), {})->size(), 1U);
  EXPECT_TRUE(journals.RowsOf(Append("a", {"1"}), {Append("a", {"1"})})->empty());
  journals.Apply(Append("a", {"1"}));
  EXPECT_TRUE(journals.RowsOf(Append("a", {"1"}), {})->empty());
}

TEST(StudyJournals, RowsFollowWhatTheSameRoundHasTaken) {
  StudyJournals journals;
  Change(journals, Append("a", {"1", "2"}));
  const std::vector<JournalChange> before{Append("b", {"3"}), JournalRemoval{kOurs},
                                          Append("c", {"4"})};
  EXPECT_EQ(journals.RowsOf(Append("d", {"5"}), before)->front().id, "1/ours/000000000001");
  EXPECT_EQ(journals.RowsOf(JournalRemoval{kOurs}, {before[0]})->size(), 3U);
}

TEST(StudyJournals, RecordsMakeTheSameJournalAgain) {
  StudyJournals journals;
  const JournalAppend append = Append("a", {"one\ntwo", ""});
  const std::vector<store::RecordChange> rows = *journals.RowsOf(append, {});
  StudyJournals again;
  for (const store::RecordChange& row : rows) {
    ASSERT_TRUE(again.Take(row.id, *row.body).has_value());
  }
  EXPECT_EQ(Texts(again.Read(kOurs, 0)), (std::vector<std::string>{"one\ntwo", ""}));
  EXPECT_TRUE(again.RowsOf(append, {})->empty());
  EXPECT_FALSE(again.Take("nonsense", "a\nb").has_value());
}

TEST(StudyJournals, AFullJournalRefusesByName) {
  StudyJournals journals;
  const std::string large(33U << 20, 'x');
  Change(journals, Append("a", {large}));
  Result<std::vector<store::RecordChange>> refused = journals.RowsOf(Append("b", {large}), {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kPrecondition);
  EXPECT_NE(refused.error().message.find("'ours'"), std::string::npos);
}

// Entries without a text take memory as well.
TEST(StudyJournals, NothingIsFreeOfCharge) {
  StudyJournals journals;
  std::size_t taken = 0;
  for (int i = 0; i < 100 && journals.RowsOf(Append(std::to_string(i), {""}), {}); ++i) {
    const JournalAppend append = Append(std::to_string(i), std::vector<std::string>(100'000));
    if (!journals.RowsOf(append, {})) break;
    journals.Apply(append);
    taken += append.entries.size();
  }
  EXPECT_LE(taken, 1'100'000U);
  Change(journals, JournalAppend{{ProjectId{1}, "none"}, "1", {}});
  EXPECT_EQ(journals.List().size(), 1U);
}

TEST(StudyJournals, JournalsOfAProjectAreBoundedTogether) {
  StudyJournals journals;
  const std::string large(60U << 20, 'x');
  for (const char* name : {"a", "b", "c", "d"}) {
    Change(journals, JournalAppend{{ProjectId{1}, name}, "1", {large}});
  }
  auto more = [](std::int64_t project, const char* name, std::size_t mebibytes) {
    return JournalAppend{{ProjectId{project}, name}, "1", {std::string(mebibytes << 20, 'x')}};
  };
  EXPECT_FALSE(journals.RowsOf(more(1, "e", 20), {}));
  EXPECT_TRUE(journals.RowsOf(more(2, "e", 20), {}));
  EXPECT_TRUE(journals.RowsOf(more(1, "e", 8), {}));
  EXPECT_FALSE(journals.RowsOf(more(1, "e", 8), {more(1, "f", 12)}));  // nor in one round
}

}  // namespace
}  // namespace yard::control
