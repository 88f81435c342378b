// Follows the log of one workload for `top`: a thread reads what is written, the screen takes it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "base/fd.h"
#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

class TopLog {
 public:
  // The last `lines` lines of the newest attempt, then what follows.
  TopLog(client::Options options, const Surroundings& around, std::string id, std::int64_t lines);
  TopLog(const TopLog&) = delete;
  TopLog& operator=(const TopLog&) = delete;
  ~TopLog();

  // It ends soon; nothing waits for it but the destructor.
  void Stop() { stop_ = true; }
  // Readable when there is something new.
  int fd() const { return wake_read_.get(); }
  struct News {
    std::string text;
    std::string notice;  // how following came to its end; empty while it goes on
  };
  // What is new since the last time.
  News Take();

 private:
  void Run(std::int64_t lines);
  void Publish(std::string_view text, std::string_view notice);

  // Constant.
  client::Options options_;
  const Surroundings& around_;
  std::string id_;
  UniqueFd wake_read_;
  UniqueFd wake_write_;

  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  News news_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace yard::cli
