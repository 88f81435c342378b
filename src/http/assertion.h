// Assertions of Boost's headers, as exceptions.
//
// To be included before any header of Boost.Beast. Beast asserts about bytes that peers send, and
// assertions are on in every build: one of them ends the connection it is about, never the server.
#pragma once

#include <stdexcept>

#define BOOST_ENABLE_ASSERT_HANDLER
#include <boost/assert.hpp>

namespace yard::http {

class AssertionFailed final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace yard::http
