// Applies leases to gates: one planner per GPU, over all slices that have a share of it.
//
// Threads: any; one mutex, held for microseconds; one thread of its own while there are tenants.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "slice/agent/lease.h"
#include "slice/region.h"

namespace yard::slice {

class Gates {
 public:
  explicit Gates(LeaseOptions options) : options_(options) {}
  ~Gates();
  Gates(const Gates&) = delete;
  Gates& operator=(const Gates&) = delete;

  // The region must outlive its stay here.
  void Join(Region* region);
  // Opens the region's gates for good and forgets it.
  void Leave(Region* region);

 private:
  struct Tenant {
    Region* region = nullptr;
    int gpu = 0;
    std::uint32_t closings = 0;
  };
  struct Card {
    explicit Card(LeaseOptions options) : planner(options) {}
    LeasePlanner planner;
    std::vector<Tenant> tenants;  // by planner number; region is null after it left
  };

  void Run();
  bool StepAll(std::uint64_t now_ns);  // true while some tenant drains
  bool StepCard(Card& card, std::uint64_t now_ns);

  const LeaseOptions options_;
  std::mutex mutex_;
  std::vector<std::pair<Uuid, Card>> cards_;  // guarded by mutex_
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace yard::slice
