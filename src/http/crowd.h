// The connections of a server by the network they come from, and which one is closed when it is
// full.
//
// Below the limit everybody comes in. At the limit, one network cannot keep the others out: the
// network that holds most gives one connection for each that comes from elsewhere, first those
// that wait for nothing, the oldest first. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "http/unsent.h"

namespace yard::http {

struct Link;

// The place of one connection.
struct Seat {
  std::string network;
  std::shared_ptr<Unsent> unsent = {};  // of the network
  // Nothing is answered to it now. Written on the connection's thread.
  std::atomic<bool> idle = true;
  std::weak_ptr<Link> link = {};  // guarded by the crowd; nothing before Settle
  std::list<std::shared_ptr<Seat>>::iterator place = {};  // guarded by the crowd
  bool left = false;                                      // guarded by the crowd
};

class Crowd {
 public:
  Crowd(std::size_t most, std::size_t unsent_bytes) : most_(most), unsent_bytes_(unsent_bytes) {}

  // Null: the server is full, and this network already has its share.
  std::shared_ptr<Seat> Take(const std::string& network);
  // From here on the connection can be asked to give way.
  void Settle(Seat& seat, const std::shared_ptr<Link>& link);
  void Leave(const std::shared_ptr<Seat>& seat);

 private:
  struct Group {
    std::list<std::shared_ptr<Seat>> seats;  // the oldest first
    std::shared_ptr<Unsent> unsent;
  };

  // Makes room; nothing if this network has as much as any.
  std::shared_ptr<Link> GiveWay(std::size_t held);
  void Remove(Seat& seat);

  const std::size_t most_;
  const std::size_t unsent_bytes_;  // of one network
  std::mutex mutex_;
  std::unordered_map<std::string, Group> groups_;  // guarded by mutex_
  std::size_t taken_ = 0;                          // guarded by mutex_
};

}  // namespace yard::http
