#include "cli/work/gpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/work/story.h"

namespace yard::cli {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> HealthIn(std::string_view gpu) {
  const json::value value = boost::json::parse(gpu);
  const Table table = GpuTable({&value, 1}, Columns::kAll);
  const std::vector<std::string>& row = table.rows.at(0);
  EXPECT_EQ(row.size(), table.header.size());
  return {row.begin() + 7, row.end()};
}

TEST(GpuTable, TellsHowAGpuIs) {
  EXPECT_THAT(HealthIn(R"({"used":"2048Mi","health":{"temperatureCelsius":61,"powerWatts":312.5,
                "powerLimitWatts":700,"smClockMhz":1755,"smClockMaxMhz":1980,
                "slowedBy":["powerLimit","heat"],"eccCorrected":3,"eccUncorrected":0,"xids":0},
                "links":[{"gpu":"a","closeness":"nvlink","nvlinks":4},{"gpu":"b"},
                         {"gpu":"c","closeness":"system"},{"gpu":"d","closeness":"nvlink"}]})"),
              ElementsAre("2 GiB", "61 °C", "312.5/700 W", "1755/1980 MHz", "powerLimit,heat",
                          "3/0", "none", "2 by nvlink, 1 by system"));
}

TEST(GpuTable, ShowsADashForWhatAGpuDoesNotTell) {
  EXPECT_THAT(HealthIn(R"({"declared":true})"),
              ElementsAre("-", "-", "-", "-", "-", "-", "-", "-"));
  EXPECT_THAT(HealthIn(R"({"health":{"powerWatts":80,"slowedBy":[],"xids":2,"lastXid":"XID 31"}})"),
              ElementsAre("-", "-", "80/- W", "-", "-", "-", "XID 31", "-"));
}

TEST(GpuTable, IsShortUnlessAllIsAskedFor) {
  const json::value gpu = boost::json::parse(R"({"uuid":"GPU-1","health":{"xids":0}})");
  EXPECT_EQ(GpuTable({&gpu, 1}, Columns::kUsual).header.size(), 7U);
}

std::string UsedBy(std::string_view gpu) {
  const json::value value = boost::json::parse(gpu);
  return GpuTable({&value, 1}, Columns::kUsual).rows.at(0).at(6);
}

TEST(GpuTable, CallsFreeOnlyThatWhichNewWorkMayHave) {
  EXPECT_EQ(UsedBy(R"({"foreign":"0Mi","heldByOthers":0,"outOfService":"","workloads":[]})"),
            "free");
  EXPECT_EQ(UsedBy(R"({"outOfService":"drained: new disk","workloads":[]})"), "drained: new disk");
  EXPECT_EQ(UsedBy(R"({"heldByOthers":0.5,"outOfService":"drained"})"), "another project (0.5)");
  EXPECT_EQ(UsedBy(R"({"foreign":"1024Mi"})"), "others: 1024Mi");
}

TEST(NodeTable, SaysWhichNodesAreDrained) {
  const std::vector<json::value> nodes{
      boost::json::parse(R"({"name":"a","status":"Ready","drain":{"reason":"new disk"}})"),
      boost::json::parse(R"({"name":"b","status":"NotReady","drain":{"reason":""}})"),
      boost::json::parse(R"({"name":"c","status":"Ready"})")};
  const Table table = TableOf(**FindKind("nodes"), Format::kTable, nodes);
  EXPECT_EQ(table.rows.at(0).at(1), "Drained");
  EXPECT_EQ(table.rows.at(1).at(1), "NotReady, drained");
  EXPECT_EQ(table.rows.at(2).at(1), "Ready");
}

TEST(AttemptTable, NamesTheWorkThatHasThePlaceNow) {
  const json::array attempts =
      boost::json::parse(R"([{"number":1,"message":"Preempted.","stop":{"cause":"Preempted",
                              "by":"vision/paper","rule":"reclaim"}}])")
          .as_array();
  EXPECT_EQ(AttemptTable(attempts, Time{}).rows.at(0).back(),
            "Preempted. Gave way to vision/paper by the rule reclaim.");
}

}  // namespace
}  // namespace yard::cli
