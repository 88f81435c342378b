#include "cli/top/feed.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/work/gpus.h"
#include "cli/work/view.h"
#include "cli/work/watch.h"

namespace yard::cli {
namespace {

constexpr Micros kAtLeastBetween = Micros(250'000);
constexpr std::string_view kStream = "/api/v1/events/stream";

// "8 GPUs, 3 free"; empty when nobody says.
std::string GpuLine(client::Client& client) {
  client::Outcome<json::value> answer = client.Get("/api/v1/gpus");
  if (!answer || !At(*answer, "gpus").is_array()) return {};
  const json::array& gpus = At(*answer, "gpus").get_array();
  std::size_t free = 0;
  for (const json::value& gpu : gpus) {
    if (IsFree(gpu)) ++free;
  }
  return fmt::format("{} GPUs, {} free", gpus.size(), free);
}

int Rank(const TopRow& row) {
  if (row.phase == "Running") return 0;
  if (row.phase == "Completed" || row.phase == "Failed" || row.reason == "Cancelled") return 2;
  return 1;
}

}  // namespace

std::vector<TopRow> TopRowsOf(const std::vector<json::value>& workloads) {
  std::vector<TopRow> rows;
  for (const json::value& one : workloads) {
    rows.push_back({TextAt(one, "id"), TextAt(one, "name"), PhaseOf(one), ReasonOf(one),
                    GpusOf(one), ParseRfc3339(TextAt(one, "createdAt")), NodesOf(one),
                    TextAt(one, "submittedBy"), TextAt(one, "projectName")});
  }
  // What ended last comes first: that is what one looks for.
  std::ranges::stable_sort(rows, {}, [](const TopRow& row) {
    const std::int64_t since = row.since ? row.since->micros : 0;
    return std::pair(Rank(row), Rank(row) == 2 ? -since : 0);
  });
  return rows;
}

TopFeed::TopFeed(client::Options options, const Surroundings& around, std::string me)
    : options_(std::move(options)), around_(around), me_(std::move(me)) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
    wake_read_.Reset(ends[0]);
    wake_write_.Reset(ends[1]);
  }
  asker_ = std::make_unique<client::Client>(options_);
  thread_ = std::thread([this] { Run(); });
}

TopFeed::~TopFeed() {
  stop_ = true;
  thread_.join();
}

TopView TopFeed::Take() {
  std::array<char, 64> bytes{};
  while (read(wake_read_.get(), bytes.data(), bytes.size()) > 0) {
  }
  std::lock_guard lock(mutex_);
  return view_;
}

void TopFeed::Publish(TopView view) {
  {
    std::lock_guard lock(mutex_);
    view_ = std::move(view);
  }
  [[maybe_unused]] ssize_t written = write(wake_write_.get(), "x", 1);
}

bool TopFeed::LookAgain() {
  Time now = around_.clock.Now();
  Micros since = now - looked_at_;
  if (since < kAtLeastBetween && around_.wait) around_.wait(kAtLeastBetween - since);
  looked_at_ = around_.clock.Now();
  ListRequest request;
  if (!me_.empty()) request.query.emplace_back("filterBy", "submittedBy==" + me_);
  auto found = ListObjects(*asker_, **FindKind("workloads"), request);
  TopView view;
  view.title = fmt::format("gpuyard  {}  {}", me_.empty() ? "everybody's" : me_, GpuLine(*asker_));
  if (found) {
    view.rows = TopRowsOf(*found);
  } else {
    view.notice = found.error().error.message;
  }
  Publish(std::move(view));
  return !stop_;
}

void TopFeed::Run() {
  client::Client follower(options_);
  while (!stop_) {
    auto stopped = [this] { return stop_.load(); };
    auto done = follower.Follow(
        std::string(kStream), [this](const client::Event&) { return LookAgain(); },
        [this] { return LookAgain(); }, stopped);
    if (stop_) return;
    if (!done) Publish({.rows = {}, .title = "gpuyard", .notice = done.error().error.message});
    if (around_.wait) around_.wait(Seconds(1));
  }
}

}  // namespace yard::cli
