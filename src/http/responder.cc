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

void NotifyStream(const std::shared_ptr<Link>& link) {
  link->loop->Post([link] {
    if (link->connection) link->connection->OnStreamReady();
  });
}

}  // namespace yard::http
