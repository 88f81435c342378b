#include "http/loop.h"

#include <chrono>
#include <exception>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/log.h"
#include "http/reply.h"

namespace yard::http {
namespace {

namespace net = boost::asio;

thread_local const Loop* current_loop = nullptr;

}  // namespace

// The running timer is also what keeps an idle loop from returning.
struct Loop::Ticker {
  explicit Ticker(net::io_context& context) : timer(context), work(context.get_executor()) {}
  net::steady_timer timer;
  net::executor_work_guard<net::io_context::executor_type> work;
};

Loop::Loop(Micros tick_length, const Clock& clock)
    : tick_length_(tick_length),
      clock_(clock),
      context_(std::make_unique<net::io_context>(1)),
      ticker_(std::make_unique<Ticker>(*context_)) {
  Tick();
}

Loop::~Loop() {
  Finish();
}

void Loop::Start() {
  ArmTicker();
  thread_ = std::thread([this] {
    current_loop = this;
    Run();
    current_loop = nullptr;
  });
}

// A task that fails is the end of that task: the other connections of the thread go on.
void Loop::Run() {
  for (bool ended = false; !ended;) {
    try {
      context_->run();
      ended = true;
    } catch (const std::exception& error) {
      log::Error("a task of an I/O thread failed", {{"error", error.what()}});
    }
  }
}

void Loop::Finish() {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(finished_, true)) return;
    net::post(*context_, [this] {
      ticker_.reset();
      net::post(*context_, [this] { context_->stop(); });
    });
  }
  if (thread_.joinable()) thread_.join();
  ticker_.reset();
  context_.reset();
}

void Loop::Post(std::move_only_function<void()> task) {
  std::lock_guard lock(mutex_);
  if (!finished_) net::post(*context_, std::move(task));
}

bool Loop::IsCurrent() const {
  return current_loop == this;
}

void Loop::StopAll() {
  for (Timed* timed : timed_) timed->OnStop();
}

void Loop::AbortAll() {
  for (Timed* timed : timed_) timed->OnAbort();
}

std::int64_t Loop::TickIn(Micros delay) const {
  return tick_ + (delay.value + tick_length_.value - 1) / tick_length_.value + 1;
}

void Loop::Tick() {
  Time now = clock_.Now();
  if (std::int64_t second = now.micros / 1'000'000; second != date_second_) {
    date_second_ = second;
    date_ = FormatHttpDate(now);
  }
  for (Timed* timed : timed_) timed->OnTick(tick_);
}

void Loop::ArmTicker() {
  ticker_->timer.expires_after(std::chrono::microseconds(tick_length_.value));
  ticker_->timer.async_wait([this](const boost::system::error_code& error) {
    if (error || !ticker_) return;
    ++tick_;
    Tick();
    ArmTicker();
  });
}

}  // namespace yard::http
