// Keeps the view of `top` new: a thread that follows the server's stream of changes and looks
// again after each, at most a few times a second. Nothing is polled.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/fd.h"
#include "cli/session.h"
#include "cli/top/model.h"
#include "client/client.h"

namespace yard::cli {

class TopFeed {
 public:
  // `me` is whose work is shown; empty: everybody's.
  TopFeed(client::Options options, const Surroundings& around, std::string me);
  TopFeed(const TopFeed&) = delete;
  TopFeed& operator=(const TopFeed&) = delete;
  ~TopFeed();

  // Readable when there is something new.
  int fd() const { return wake_read_.get(); }
  // The newest view.
  TopView Take();

 private:
  void Run();
  bool LookAgain();
  void Publish(TopView view);

  // Constant.
  client::Options options_;
  const Surroundings& around_;
  std::string me_;
  UniqueFd wake_read_;
  UniqueFd wake_write_;

  // The thread's own.
  std::unique_ptr<client::Client> asker_;
  Time looked_at_;

  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  TopView view_;  // guarded by mutex_
  std::thread thread_;
};

// Rows as `top` shows them.
std::vector<TopRow> TopRowsOf(const std::vector<json::value>& workloads);

}  // namespace yard::cli
