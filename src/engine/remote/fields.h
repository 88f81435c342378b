// What is sent of each struct of the engine's interface: every field, in order. A field that is
// missing here is lost on the way, so the test sends structs with all of them set.
#pragma once

#include "engine/engine.h"
#include "engine/remote/archive.h"

namespace yard::engine::remote {

template <>
inline constexpr Code kLast<Code> = Code::kInternal;
template <>
inline constexpr MountKind kLast<MountKind> = MountKind::kOutput;
template <>
inline constexpr PullPolicy kLast<PullPolicy> = PullPolicy::kNever;
template <>
inline constexpr GpuTime kLast<GpuTime> = GpuTime::kInteractive;
template <>
inline constexpr TaskState kLast<TaskState> = TaskState::kUnknown;
template <>
inline constexpr EndCause kLast<EndCause> = EndCause::kNodeLost;
template <>
inline constexpr slice::Closeness kLast<slice::Closeness> = slice::Closeness::kSystem;
template <>
inline constexpr slice::Isolation kLast<slice::Isolation> = slice::Isolation::kDeclared;

template <>
inline constexpr PlacementBy kLast<PlacementBy> = PlacementBy::kEngine;

void Fields(auto& archive, FieldIssue& v) {
  archive(v.field, v.problem);
}
void Fields(auto& archive, Error& v) {
  archive(v.code, v.message, v.details, v.fields);
}
void Fields(auto& archive, TaskKey& v) {
  archive(v.attempt, v.rank);
}
void Fields(auto& archive, Variable& v) {
  archive(v.name, v.value, v.secret);
}
void Fields(auto& archive, Mount& v) {
  archive(v.kind, v.source, v.target, v.read_only, v.must_exist);
}
void Fields(auto& archive, Container& v) {
  archive(v.image, v.pull, v.registry_user, v.registry_password, v.shm, v.add_capabilities,
          v.read_only_root, v.host_network, v.host_ipc);
}
void Fields(auto& archive, Account& v) {
  archive(v.uid, v.gid, v.groups);
}
void Fields(auto& archive, GpuGrant& v) {
  archive(v.uuid, v.part, v.memory, v.weight, v.limit, v.time);
}
void Fields(auto& archive, TaskLimits& v) {
  archive(v.cpu, v.memory, v.pids, v.log);
}
void Fields(auto& archive, TaskSpec& v) {
  archive(v.key, v.node, v.title, v.container, v.command, v.args, v.working_dir, v.variables,
          v.mounts, v.account, v.gpus, v.limits, v.ports, v.together, v.tty);
}
void Fields(auto& archive, EndUse& v) {
  archive(v.cpu, v.memory_peak, v.read_bytes, v.write_bytes);
}
void Fields(auto& archive, TaskEnd& v) {
  archive(v.cause, v.exit_code, v.signal, v.message, v.at, v.used);
}
void Fields(auto& archive, TaskStatus& v) {
  archive(v.key, v.state, v.detail, v.started_at, v.end);
}
void Fields(auto& archive, TaskUsage& v) {
  archive(v.key, v.cpu, v.memory, v.memory_peak, v.read_bytes, v.write_bytes, v.processes,
          v.gpu_percent, v.gpu_memory, v.terminal_input_at);
}
void Fields(auto& archive, TaskNote& v) {
  archive(v.key, v.reason, v.message);
}
void Fields(auto& archive, GpuHealth& v) {
  archive(v.temperature_c, v.power_mw, v.power_limit_mw, v.energy_mj, v.sm_clock_mhz,
          v.sm_clock_max_mhz, v.memory_clock_mhz, v.slowed_by, v.ecc_corrected, v.ecc_uncorrected,
          v.remapped_rows, v.xids, v.last_xid, v.processes);
}
void Fields(auto& archive, GpuLink& v) {
  archive(v.uuid, v.closeness, v.nvlinks);
}
void Fields(auto& archive, GpuState& v) {
  archive(v.uuid, v.model, v.memory, v.declared, v.isolation, v.pci, v.mig, v.fault, v.foreign,
          v.busy_percent, v.used, v.health, v.numa_node, v.links);
}
void Fields(auto& archive, NodeState& v) {
  archive(v.name, v.ready, v.message, v.cpu, v.memory, v.gpus, v.labels);
}
void Fields(auto& archive, Capabilities& v) {
  archive(v.name, v.processes, v.containers, v.container_daemon, v.containers_missing,
          v.memory_limits, v.cpu_limits, v.gpu_slices, v.gpu_filter, v.gpu_filter_missing,
          v.parking, v.parking_missing, v.placement);
}
void Fields(auto& archive, StopOptions& v) {
  archive(v.signal, v.grace);
}
void Fields(auto& archive, ExecSpec& v) {
  archive(v.command, v.variables, v.tty, v.rows, v.columns);
}
void Fields(auto& archive, LogChunk& v) {
  archive(v.offset, v.bytes, v.next, v.at_end);
}

}  // namespace yard::engine::remote
