#include "engine/local/containers/images.h"

#include <chrono>

#include <fmt/format.h>

#include "engine/local/containers/image.h"

namespace yard::engine::containers {
namespace {

constexpr std::chrono::milliseconds kLook{200};

PullPolicy PolicyOf(const Container& container, const std::string& image) {
  return RegistryOf(image) == "localhost" ? PullPolicy::kNever : container.pull;
}

}  // namespace

std::shared_ptr<std::timed_mutex> Images::LockOf(const std::string& image) {
  std::lock_guard hold(mutex_);
  std::erase_if(locks_, [](const auto& entry) { return entry.second.expired(); });
  std::shared_ptr<std::timed_mutex> lock = locks_[image].lock();
  if (!lock) {
    lock = std::make_shared<std::timed_mutex>();
    locks_[image] = lock;
  }
  return lock;
}

Status Images::Ensure(const Container& container, const Progress& progress) {
  YARD_ASSIGN(std::string image, FullName(container.image));
  std::shared_ptr<std::timed_mutex> lock = LockOf(image);
  std::unique_lock hold(*lock, std::defer_lock);
  while (!hold.try_lock_for(kLook)) {
    if (!progress(fmt::format("waiting for image {}, which another task pulls", image)))
      return Fail(Code::kPrecondition, "given up");
  }
  return EnsureAlone(container, image, progress);
}

Status Images::EnsureAlone(const Container& container, const std::string& image,
                           const Progress& progress) {
  PullPolicy policy = PolicyOf(container, image);
  if (policy != PullPolicy::kAlways) {
    YARD_ASSIGN(std::optional<ImageFacts> found, daemon_.FindImage(image));
    if (found) return {};
    if (policy == PullPolicy::kNever)
      return Fail(Code::kNotFound, fmt::format("no such image: {} is not on this node and is not "
                                               "to be pulled",
                                               image));
  }
  return daemon_.Pull({image, container.registry_user, container.registry_password}, progress);
}

}  // namespace yard::engine::containers
