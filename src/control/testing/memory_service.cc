#include "control/testing/memory_service.h"

#include "base/check.h"
#include "store/memory_store.h"

namespace yard::control {

std::unique_ptr<Service> StartInMemory(const Clock& clock, Random& random) {
  auto service = Service::Start(std::make_unique<store::MemoryStore>(), clock, random);
  YARD_CHECK(service.has_value());
  return std::move(*service);
}

}  // namespace yard::control
