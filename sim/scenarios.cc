#include "sim/scenarios.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/json.h"
#include "base/random.h"

namespace yard::sim {
namespace {

RunInput Cluster(std::string_view document) {
  auto value = ParseJson(document);
  YARD_CHECK(value.has_value());
  auto cluster = ReadCluster(*value);
  YARD_CHECK(cluster.has_value());
  return {.cluster = *std::move(cluster)};
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::int64_t Between(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(most - least + 1)));
  }

 private:
  SeededRandom random_;
};

void AddJob(RunInput& input, Job job) {
  job.line = static_cast<int>(input.jobs.size()) + 2;
  input.jobs.push_back(std::move(job));
}

Job OneGpu(std::string id, std::string user, std::string project) {
  return {.id = std::move(id),
          .user = std::move(user),
          .project = std::move(project),
          .gpus_per_node = 1};
}

}  // namespace

RunInput OneHog() {
  RunInput input = Cluster(R"({"nodes": [{"name": "n", "count": 4, "gpus": 8}],
    "projects": [{"name": "alpha", "quota": 16}, {"name": "beta", "quota": 16}]})");
  Dice dice(7);
  for (int j = 0; j < 300; ++j) {
    Job job = OneGpu(fmt::format("hog-{}", j), "hog", "alpha");
    job.duration = Minutes(dice.Between(30, 90));
    AddJob(input, std::move(job));
  }
  for (int user = 0; user < 10; ++user) {
    for (int j = 0; j < 20; ++j) {
      Job job = OneGpu(fmt::format("u{}-{}", user, j), fmt::format("u{}", user),
                       user < 5 ? "alpha" : "beta");
      job.submit = Time{} + Seconds(dice.Between(600, 8 * 3600));
      job.duration = Minutes(dice.Between(10, 60));
      AddJob(input, std::move(job));
    }
  }
  return input;
}

RunInput ADayOfSoleUse() {
  RunInput input = Cluster(R"({"policy": {"preemption": false},
    "nodes": [{"name": "n", "count": 4, "gpus": 8}],
    "projects": [{"name": "first"}, {"name": "second"}]})");
  for (int j = 0; j < 1600; ++j) {
    Job job = OneGpu(fmt::format("first-{}", j), "ann", "first");
    job.duration = Minutes(60);
    AddJob(input, std::move(job));
  }
  for (int j = 0; j < 600; ++j) {
    Job job = OneGpu(fmt::format("second-{}", j), "bob", "second");
    job.submit = Time{} + Hours(24);
    job.duration = Minutes(60);
    AddJob(input, std::move(job));
  }
  return input;
}

RunInput LargeJobsInAStream(std::uint64_t seed, Projects projects) {
  RunInput input = Cluster(R"({"nodes": [{"name": "n", "count": 4, "gpus": 8}],
    "projects": [{"name": "alpha", "quota": 16}, {"name": "beta", "quota": 16}]})");
  if (projects == Projects::kOne) {
    input.cluster.snapshot.queues[0].shares[0].quota.gpu = MilliGpu(32'000);
  }
  const auto project_of = [&](std::int64_t user) {
    return projects == Projects::kOne || user % 2 == 0 ? "alpha" : "beta";
  };
  Dice dice(seed);
  const auto limited = [&](Job job, std::int64_t minutes) {
    job.duration = Minutes(minutes);
    job.limit = Minutes(minutes + dice.Between(0, minutes));
    AddJob(input, std::move(job));
  };
  constexpr std::int64_t kHours = 60;
  for (int j = 0; j < 800; ++j) {
    const std::int64_t user = dice.Between(0, 11);
    Job job = OneGpu(fmt::format("small-{}", j), fmt::format("s{}", user), project_of(user));
    job.submit = Time{} + Seconds(dice.Between(0, kHours * 3600));
    job.gpus_per_node = static_cast<std::int32_t>(dice.Between(1, 2));
    limited(std::move(job), dice.Between(10, 90));
  }
  for (int j = 1; j <= 50; ++j) {
    const std::int64_t user = dice.Between(0, 4);
    Job job = OneGpu(fmt::format("large-{}", j), fmt::format("l{}", user), project_of(user));
    job.submit = Time{} + Hours(1) + Minutes(70 * j) + Seconds(dice.Between(0, 1800));
    job.gpus_per_node = 8;
    job.nodes = static_cast<std::int32_t>(dice.Between(1, 2));
    limited(std::move(job), dice.Between(30, 90));
  }
  return input;
}

}  // namespace yard::sim
