#include "control/usage/book.h"

#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/testing/yard_fixture.h"
#include "control/usage/sum.h"

namespace yard::control {
namespace {

const std::string kTwoGpus = R"({"command":"train","compute":{"gpuDevicesRequest":2}})";

engine::TaskUsage Using(const engine::TaskKey& key, Micros cpu, std::optional<std::int32_t> gpu) {
  return {.key = key,
          .cpu = cpu,
          .memory = Mebibytes(100),
          .memory_peak = Mebibytes(300),
          .read_bytes = 7,
          .gpu_percent = gpu,
          .gpu_memory = std::nullopt,
          .terminal_input_at = std::nullopt};
}

// A book beside the yard's own driver, so that tests decide when it looks.
class Book : public ::testing::Test {
 protected:
  Book()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("yard-usage-{}", getpid())) {
    std::filesystem::remove_all(folder_);
  }
  ~Book() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<UsageBook> Open() {
    return std::make_unique<UsageBook>(yard_.service(), yard_.engine(),
                                       UsageOptions{.folder = folder_.string()});
  }
  WorkloadId Start() {
    WorkloadId id = yard_.Submit("train", kTwoGpus);
    yard_.Run(id);
    return id;
  }
  void Say(WorkloadId id, Micros cpu, std::optional<std::int32_t> gpu) {
    yard_.engine().Use(Using(yard_.KeyOf(id), cpu, gpu));
  }
  // Time passes, then the book looks.
  void LookAfter(UsageBook& book, Micros time) {
    yard_.Advance(time);
    book.Look();
  }

  YardFixture yard_;
  std::filesystem::path folder_;
};

TEST_F(Book, CountsWhatGpusDidBetweenLooks) {
  auto book = Open();
  WorkloadId id = Start();
  Say(id, Seconds(3), 50);
  LookAfter(*book, Seconds(10));
  LookAfter(*book, Seconds(10));
  AttemptUse use = book->UseOf(yard_.AttemptOf(id)->id);
  EXPECT_EQ(use.cpu, Seconds(3));
  EXPECT_EQ(use.memory_peak, Mebibytes(300));
  EXPECT_EQ(use.gpu_measured, GpuTime(2000 * Seconds(20).value));
  EXPECT_EQ(use.gpu_used, GpuTime(1000 * Seconds(20).value));
}

TEST_F(Book, WorkOfTwoSecondsIsMeasuredWhileItIsYoung) {
  auto book = Open();
  WorkloadId id = Start();
  Say(id, Seconds(1), 50);
  yard_.Advance(Seconds(1));
  book->LookAtYoung();
  AttemptId attempt = yard_.AttemptOf(id)->id;
  EXPECT_EQ(book->UseOf(attempt).gpu_used, GpuTime(1000 * Seconds(1).value));
  yard_.Advance(Minutes(1));
  book->LookAtYoung();
  EXPECT_EQ(book->SeriesOf(attempt).points().size(), 1U) << "by then it is none";
}

TEST_F(Book, AGpuThatNobodyMeasuresIsNotCalledIdle) {
  auto book = Open();
  WorkloadId id = Start();
  Say(id, Seconds(3), std::nullopt);
  LookAfter(*book, Seconds(10));
  AttemptUse use = book->UseOf(yard_.AttemptOf(id)->id);
  EXPECT_EQ(use.gpu_measured, GpuTime(0));
  EXPECT_EQ(use.cpu, Seconds(3));
}

TEST_F(Book, ALongGapIsNotMeasured) {
  auto book = Open();
  WorkloadId id = Start();
  Say(id, Seconds(3), 100);
  LookAfter(*book, Hours(1));
  EXPECT_EQ(book->UseOf(yard_.AttemptOf(id)->id).gpu_measured, GpuTime(0));
  LookAfter(*book, Seconds(10));
  EXPECT_EQ(book->UseOf(yard_.AttemptOf(id)->id).gpu_used, GpuTime(2000 * Seconds(10).value));
}

TEST_F(Book, GoesOnWhereAnEarlierLifeStopped) {
  WorkloadId id = Start();
  Say(id, Seconds(3), 100);
  AttemptId attempt = yard_.AttemptOf(id)->id;
  LookAfter(*Open(), Seconds(10));
  auto book = Open();
  LookAfter(*book, Seconds(10));
  EXPECT_EQ(book->SeriesOf(attempt).points().size(), 2U);
  EXPECT_EQ(book->UseOf(attempt).gpu_used, GpuTime(2000 * Seconds(20).value));
}

TEST_F(Book, SamplesOutliveTheWorkAndGoWithItsRecord) {
  auto book = Open();
  WorkloadId id = Start();
  Say(id, Seconds(3), 100);
  AttemptId attempt = yard_.AttemptOf(id)->id;
  LookAfter(*book, Seconds(10));
  yard_.End(id);
  LookAfter(*book, Seconds(10));
  EXPECT_EQ(book->SeriesOf(attempt).points().size(), 1U);
  ASSERT_TRUE(yard_.Do([&](Txn& txn) -> Status {
    txn.Erase<Attempt>(attempt);
    return {};
  }));
  LookAfter(*book, Seconds(10));
  EXPECT_TRUE(book->SeriesOf(attempt).empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Book, TotalsAreOnRecordWithTheEnd) {
  WorkloadId id = Start();
  Say(id, Seconds(3), 25);
  yard_.Advance(Seconds(20));
  yard_.driver().LookAtUsage();
  yard_.End(id);
  Ptr<Attempt> attempt = yard_.AttemptOf(id);
  ASSERT_TRUE(attempt->used.has_value());
  EXPECT_EQ(attempt->used->cpu, Seconds(3));
  EXPECT_EQ(attempt->used->gpu_used, GpuTime(500 * Seconds(20).value));
  UsageSum sum =
      UsageWithin(*attempt, *attempt->used, {Time{}, yard_.clock().Now()}, yard_.clock().Now());
  EXPECT_EQ(sum.idle, GpuTime(1500 * Seconds(20).value));
  yard_.Restart();
  EXPECT_EQ(yard_.AttemptOf(id)->used->gpu_used, GpuTime(500 * Seconds(20).value));
}

TEST(Combine, TakesTheLargerOfSamplesAndCountsAtTheEnd) {
  AttemptUse sampled{.cpu = Seconds(5), .memory_peak = Mebibytes(10), .gpu_used = GpuTime(4)};
  AttemptUse counted{.cpu = Seconds(6), .memory_peak = Mebibytes(8)};
  AttemptUse both = Combine(sampled, counted);
  EXPECT_EQ(both.cpu, Seconds(6));
  EXPECT_EQ(both.memory_peak, Mebibytes(10));
  EXPECT_EQ(both.gpu_used, GpuTime(4));
}

TEST(Share, APartOfAGpuIsUsedAtMostByItsPart) {
  TaskPlace place{.node = "a", .gpus = {"GPU-a"}, .each = MilliGpu(500)};
  GpuShare share = ShareOf(place, Using({}, Seconds(0), 80), Seconds(10));
  EXPECT_EQ(share.measured, GpuTime(500 * Seconds(10).value));
  EXPECT_EQ(share.used, GpuTime(500 * Seconds(10).value));
  EXPECT_EQ(ShareOf(place, Using({}, Seconds(0), 20), Seconds(10)).used,
            GpuTime(200 * Seconds(10).value));
}

}  // namespace
}  // namespace yard::control
