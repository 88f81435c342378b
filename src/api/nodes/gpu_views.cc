#include "api/nodes/gpu_views.h"

namespace yard::api {
namespace {

std::optional<double> Thousandths(std::optional<std::int64_t> amount) {
  return amount ? std::optional(static_cast<double>(*amount) / 1000) : std::nullopt;
}

}  // namespace

void WriteHealth(wire::Writer& w, const engine::GpuHealth& health) {
  w.Begin();
  w("temperatureCelsius", health.temperature_c);
  w("powerWatts", Thousandths(health.power_mw));
  w("powerLimitWatts", Thousandths(health.power_limit_mw));
  w("energyJoules", Thousandths(health.energy_mj));
  w("smClockMhz", health.sm_clock_mhz);
  w("smClockMaxMhz", health.sm_clock_max_mhz);
  w("memoryClockMhz", health.memory_clock_mhz);
  w("slowedBy", health.slowed_by);
  w("eccCorrected", health.ecc_corrected);
  w("eccUncorrected", health.ecc_uncorrected);
  w("remappedRows", health.remapped_rows);
  w("xids", health.xids);
  if (!health.last_xid.empty()) w("lastXid", health.last_xid);
  w("processes", health.processes);
  w.End();
}

void WriteLinks(wire::Writer& w, const std::vector<engine::GpuLink>& links) {
  w.BeginList();
  for (const engine::GpuLink& link : links) {
    w.Item();
    w.Begin();
    w("gpu", link.uuid);
    if (link.closeness) w("closeness", slice::Name(*link.closeness));
    w("nvlinks", link.nvlinks);
    w.End();
  }
  w.EndList();
}

}  // namespace yard::api
