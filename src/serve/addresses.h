// Where browsers reach the server: the dashboard with the API, and, apart from it, the tools.
//
// Two origins, so that a tool's page is a stranger to the dashboard. Addresses that the settings do
// not name follow the one that a request came by, with the port of the other door. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "http/http.h"

namespace yard::serve {

struct Door {
  std::string url = {};  // as the settings have it, without a slash at the end; or empty
  std::atomic<std::uint16_t> port = 0;  // 0: it is not open
};

struct Addresses {
  Door dashboard;
  Door tools;
};

// "https://host:port" of that door, as the sender of the request would write it.
std::string AddressOf(const Door& door, const http::Request& request);

// Whether a page of another origin than this door's sent the request. Requests of programs, which
// name no origin, are nobody's page.
bool IsFromElsewhere(const Door& door, const http::Request& request);

// Whether cookies for that door may be kept for encrypted connections only.
bool IsSecure(const Door& door, const http::Request& request);

}  // namespace yard::serve
