#include "engine/local/containers/gang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "engine/local/containers/create_mapped.h"
#include "engine/local/containers/fields.h"

namespace yard::engine::containers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TaskSpec Rank(std::int32_t rank, std::vector<std::int32_t> together) {
  TaskSpec spec;
  spec.title = "vision/dd";
  spec.key.rank = rank;
  spec.together = std::move(together);
  spec.container = Container{.image = "a:1"};
  return spec;
}

TEST(GangNetwork, IsForRanksWithoutTheNetworkOfTheMachine) {
  EXPECT_TRUE(HasGang(Rank(0, {0, 1})));
  EXPECT_FALSE(HasGang(Rank(0, {0})));
  TaskSpec host = Rank(0, {0, 1});
  host.container->host_network = true;
  EXPECT_FALSE(HasGang(host));
  host.container.reset();
  EXPECT_FALSE(HasGang(host));
}

TEST(GangNetwork, EveryRankKnowsTheOthersByName) {
  auto first = PlaceInGang(Rank(0, {0, 2, 5}), DaemonKind::kPodman, "10.89.3.0/24");
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->address, "10.89.3.2");
  EXPECT_THAT(first->hosts, ElementsAre("dd-2:10.89.3.3", "dd-5:10.89.3.4"));
  auto last = PlaceInGang(Rank(5, {0, 2, 5}), DaemonKind::kPodman, "10.89.3.0/24");
  EXPECT_EQ(last->address, "10.89.3.4");
  EXPECT_THAT(last->hosts, ElementsAre("dd-0:10.89.3.2", "dd-2:10.89.3.3"));
  EXPECT_EQ(first->name, last->name);
}

TEST(GangNetwork, MoreRanksThanAddressesAreRefused) {
  std::vector<std::int32_t> many(254);
  for (std::int32_t i = 0; i < 254; ++i) many[static_cast<std::size_t>(i)] = i;
  auto refused = PlaceInGang(Rank(0, many), DaemonKind::kPodman, "10.89.3.0/24");
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("254 tasks"));
  EXPECT_FALSE(PlaceInGang(Rank(0, {0, 1}), DaemonKind::kPodman, "fd00::/64").has_value());
}

TEST(GangNetwork, IsInBothRequests) {
  const TaskSpec spec = Rank(1, {0, 1});
  const GangNetwork network{"gang", "10.89.0.3", {"dd-0:10.89.0.2"}};
  json::value usual = *ParseJson(CreateBody(spec, {.network = network}));
  EXPECT_EQ(Text(usual, "HostConfig.NetworkMode"), "gang");
  EXPECT_THAT(Texts(usual, "HostConfig.ExtraHosts"), ElementsAre("dd-0:10.89.0.2"));
  EXPECT_EQ(Text(usual, "NetworkingConfig.EndpointsConfig.gang.IPAMConfig.IPv4Address"),
            "10.89.0.3");
  EXPECT_THAT(Texts(usual, "NetworkingConfig.EndpointsConfig.gang.Aliases"), ElementsAre("dd-1"));
  json::value mapped = *ParseJson(MappedCreateBody(spec, {.network = network}));
  EXPECT_THAT(Texts(mapped, "networks.gang.static_ips"), ElementsAre("10.89.0.3"));
  EXPECT_THAT(Texts(mapped, "hostadd"), ElementsAre("dd-0:10.89.0.2"));
}

}  // namespace
}  // namespace yard::engine::containers
