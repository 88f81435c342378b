// The lab of tests/containers/lab as its tests see it. They run only inside it:
// tests/containers/run starts it and sets the variables.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace yard::lab {

inline std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) ADD_FAILURE() << name << " is not set: start me by tests/containers/run";
  return value == nullptr ? "" : value;
}

inline std::string Socket() {
  return Variable("YARD_DAEMON_SOCKET");
}
inline std::string TestImage() {
  return Variable("YARD_TEST_IMAGE");
}
inline std::string EntryImage() {
  return Variable("YARD_ENTRY_IMAGE");
}
inline std::string OpenRegistry() {
  return Variable("YARD_OPEN_REGISTRY");
}
inline std::string LockedRegistry() {
  return Variable("YARD_LOCKED_REGISTRY");
}
inline bool IsPodman() {
  return Variable("YARD_DAEMON") == "podman";
}

}  // namespace yard::lab
