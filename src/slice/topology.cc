#include "slice/topology.h"

#include <algorithm>
#include <map>

#include "slice/pci.h"

namespace yard::slice {
namespace {

constexpr unsigned kMostLinks = 18;

// Where the NVLinks of a GPU lead.
struct Links {
  std::map<std::string, unsigned> to;  // by the bus address at the other end: a GPU or a switch
  unsigned active = 0;
};

Links LinksOf(const Nvml& nvml, void* gpu) {
  Links links;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    unsigned active = 0;
    PciV3 there{};
    if (nvml.Call("nvmlDeviceGetNvLinkState", gpu, link, &active) != Nvml::kOk) continue;
    if (active == 0) continue;
    ++links.active;
    if (nvml.Call("nvmlDeviceGetNvLinkRemotePciInfo_v2", gpu, link, &there) == Nvml::kOk)
      ++links.to[there.bus_id];
  }
  return links;
}

bool TalkByNvlink(const Nvml& nvml, void* from, void* to) {
  constexpr int kByNvlink = 2;
  int status = -1;
  return nvml.Call("nvmlDeviceGetP2PStatus", from, to, kByNvlink, &status) == Nvml::kOk &&
         status == 0;
}

std::optional<Closeness> ByPci(const Nvml& nvml, void* from, void* to) {
  int level = 0;
  if (nvml.Call("nvmlDeviceGetTopologyCommonAncestor", from, to, &level) != Nvml::kOk)
    return std::nullopt;
  switch (level) {
    case 0:
      return Closeness::kBoard;
    case 10:
      return Closeness::kSwitch;
    case 20:
      return Closeness::kSwitches;
    case 30:
      return Closeness::kBridge;
    case 40:
      return Closeness::kNuma;
    case 50:
      return Closeness::kSystem;
    default:
      return std::nullopt;
  }
}

struct Card {
  const NvmlDevice& device;
  std::string address;
  Links links;
};

// Links that lead to the other GPU itself; where both talk through switches, all of them.
std::optional<unsigned> NvlinksBetween(const Nvml& nvml, const Card& from, const Card& to) {
  const auto direct = from.links.to.find(to.address);
  if (direct != from.links.to.end()) return direct->second;
  const unsigned both = std::min(from.links.active, to.links.active);
  if (both == 0 || !TalkByNvlink(nvml, from.device.handle, to.device.handle)) return std::nullopt;
  return both;
}

Neighbour Between(const Nvml& nvml, const Card& from, const Card& to) {
  Neighbour neighbour{to.device.uuid, Closeness::kNvlink, NvlinksBetween(nvml, from, to)};
  if (!neighbour.nvlinks) neighbour.closeness = ByPci(nvml, from.device.handle, to.device.handle);
  return neighbour;
}

}  // namespace

std::vector<std::vector<Neighbour>> ReadTopology(const Nvml& nvml,
                                                 const std::vector<NvmlDevice>& devices) {
  std::vector<Card> gpus;
  for (const NvmlDevice& device : devices) {
    const bool whole = device.parent == nullptr;
    gpus.push_back({device, BusAddress(nvml, device.handle).value_or(""),
                    whole ? LinksOf(nvml, device.handle) : Links{}});
  }
  std::vector<std::vector<Neighbour>> lists(gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (devices[i].parent != nullptr) continue;
    for (const Card& to : gpus)
      if (to.device.parent == nullptr && to.device.uuid != devices[i].uuid)
        lists[i].push_back(Between(nvml, gpus[i], to));
  }
  return lists;
}

}  // namespace yard::slice
