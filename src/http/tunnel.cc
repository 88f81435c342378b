#include "http/tunnel.h"

#include <exception>
#include <utility>

#include "base/log.h"
#include "http/responder.h"

namespace yard::http {
namespace {

class LinkedTunnel final : public Tunnel {
 public:
  explicit LinkedTunnel(std::shared_ptr<Link> link) : link_(std::move(link)) {}
  ~LinkedTunnel() override { Close(); }
  LinkedTunnel(const LinkedTunnel&) = delete;
  LinkedTunnel& operator=(const LinkedTunnel&) = delete;

  void Receive(Received done) override {
    OnLoop([done = std::move(done)](Answerable* connection) mutable {
      if (connection) return connection->OnReceive(std::move(done));
      done({});
    });
  }
  void Send(std::string bytes, Sent done) override {
    OnLoop([bytes = std::move(bytes), done = std::move(done)](Answerable* connection) mutable {
      if (connection) return connection->OnSend(std::move(bytes), std::move(done));
      done(Fail(Code::kUnavailable, "the connection is closed"));
    });
  }
  void Close() override {
    OnLoop([](Answerable* connection) {
      if (connection) connection->OnLeave();
    });
  }
  void OnStop(std::move_only_function<void()> told) override {
    OnLoop([told = std::move(told)](Answerable* connection) mutable {
      if (connection) connection->TellStop(std::move(told));
    });
  }
  void Post(std::move_only_function<void()> task) override {
    OnLoop([task = std::move(task)](Answerable*) mutable { task(); });
  }
  boost::asio::io_context& context() override { return link_->loop->context(); }

 private:
  void OnLoop(std::move_only_function<void(Answerable*)> action) {
    link_->loop->Post([link = link_, action = std::move(action)]() mutable {
      try {
        action(link->connection);
      } catch (const std::exception& error) {
        log::Error("a tunnel failed", {{"error", error.what()}});
        if (link->connection) link->connection->OnCut();
      }
    });
  }

  const std::shared_ptr<Link> link_;
};

}  // namespace

std::shared_ptr<Tunnel> MakeTunnel(std::shared_ptr<Link> link) {
  return std::make_shared<LinkedTunnel>(std::move(link));
}

}  // namespace yard::http
