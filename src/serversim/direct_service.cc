#include "serversim/direct_service.h"

#include <span>
#include <utility>

namespace yard::serversim {
namespace {

// The watcher lives as long as the service.
class Forever final : public control::Subscription {};

}  // namespace

Result<std::unique_ptr<DirectService>> DirectService::Open(std::unique_ptr<store::Store> store,
                                                           const Clock& clock, Random& random) {
  std::unique_ptr<DirectService> service(new DirectService(std::move(store), clock, random));
  YARD_TRY(service->writer_.Load());
  service->state_ = service->writer_.Share();
  return service;
}

void DirectService::Write(control::Principal who, Origin origin, control::Command command,
                          control::Done done) {
  control::Writer::Job job{std::move(who), std::move(origin), std::move(command)};
  control::Writer::Batch batch = writer_.Run({&job, 1});
  if (batch.commit == control::Writer::Batch::Commit::kDone) {
    state_ = writer_.Share();
    for (const control::Notice& notice : batch.notices) {
      if (watcher_) watcher_(notice);
    }
  }
  done(std::move(batch.outcomes.front()));
}

std::unique_ptr<control::Subscription> DirectService::Watch(control::Watcher watcher) {
  watcher_ = std::move(watcher);
  return std::make_unique<Forever>();
}

}  // namespace yard::serversim
