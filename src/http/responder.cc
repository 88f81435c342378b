#include "http/responder.h"

#include <utility>

namespace yard::http {

Responder::~Responder() {
  if (link_) Deliver(std::nullopt);
}

void Responder::operator()(Reply reply) {
  if (link_) Deliver(std::move(reply));
}

void Responder::Deliver(std::optional<Reply> reply) {
  std::shared_ptr<Link> link = std::move(link_);
  if (link->loop->IsCurrent()) {
    if (link->connection) link->connection->OnAnswer(sequence_, std::move(reply));
    return;
  }
  Loop& loop = *link->loop;
  loop.Post([link, sequence = sequence_, late = std::move(reply)]() mutable {
    if (link->connection) link->connection->OnAnswer(sequence, std::move(late));
  });
}

void Waiter::OnGone(std::move_only_function<void()> gone) const {
  if (!link_) return;
  auto tell = [link = link_, sequence = sequence_, gone = std::move(gone)]() mutable {
    if (!link->connection) return gone();
    link->connection->OnWaiter(sequence, std::move(gone));
  };
  // At once where that is possible, so that an answer cannot overtake it.
  link_->loop->IsCurrent() ? tell() : link_->loop->Post(std::move(tell));
}

void NotifyStream(const std::shared_ptr<Link>& link) {
  link->loop->Post([link] {
    if (link->connection) link->connection->OnStreamReady();
  });
}

}  // namespace yard::http
