#include "engine/local/tasks/found_tasks.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/local/tasks/spec_text.h"
#include "shim/log_format.h"

namespace yard::engine {
namespace {

class PackedFiles final : public LogFiles {
 public:
  explicit PackedFiles(EndedFiles files) : files_(std::move(files)) {}

  std::vector<std::int64_t> Pieces() const override {
    return files_.log.empty() ? std::vector<std::int64_t>() : std::vector<std::int64_t>{0};
  }
  std::int64_t PieceLength(std::int64_t index) const override {
    return index == 0 && !files_.log.empty() ? static_cast<std::int64_t>(files_.log.size()) : -1;
  }
  std::string Read(const std::string& name, std::int64_t offset, std::size_t limit) const override {
    const bool is_times = name == shim::kLogTimesName;
    if (!is_times && name != PieceName(0)) return {};
    const std::string& bytes = is_times ? files_.log_times : files_.log;
    const auto from = static_cast<std::size_t>(offset);
    return from < bytes.size() ? bytes.substr(from, limit) : std::string();
  }

 private:
  const EndedFiles files_;
};

}  // namespace

TaskStatus StatusFrom(const TaskKey& key, const TaskRecord& record) {
  TaskStatus status;
  status.key = key;
  status.started_at = record.started_at;
  status.end = record.end;
  status.state = record.end          ? TaskState::kEnded
                 : record.started_at ? TaskState::kRunning
                                     : TaskState::kStarting;
  return status;
}

FoundTasks::FoundTasks(std::string root, const TaskTable& table, EndedTasks& ended,
                       RunnerOf runner_of)
    : root_(std::move(root)), table_(table), ended_(ended), runner_of_(std::move(runner_of)) {}

Result<EndedTask> FoundTasks::Packed(const TaskKey& key) const {
  YARD_ASSIGN(std::optional<EndedTask> task, ended_.Find(key));
  if (!task) return Fail(Code::kNotFound, "this engine does not know the task");
  return *std::move(task);
}

Result<KnownTaskPointer> FoundTasks::Find(const TaskKey& key) const {
  if (KnownTaskPointer task = table_.Find(key)) return task;
  YARD_ASSIGN(const EndedTask packed, Packed(key));
  YARD_ASSIGN(TaskSpec spec, DecodeSpec(packed.files.spec));
  Runner* runner = runner_of_(spec);
  return std::make_shared<const KnownTask>(
      KnownTask{std::move(spec), TaskFolder(root_, key), runner});
}

TaskStatus FoundTasks::StatusOf(const TaskKey& key) const {
  TaskStatus status = table_.StatusOf(key);
  if (status.state != TaskState::kUnknown) return status;
  const Result<std::optional<std::string>> packed = ended_.FindState(key);
  return packed && *packed ? StatusFrom(key, ParseTaskState(**packed)) : status;
}

Result<LogReader> FoundTasks::PackedLog(const TaskKey& key) const {
  YARD_ASSIGN(EndedTask task, Packed(key));
  YARD_ASSIGN(const TaskSpec spec, DecodeSpec(task.files.spec));
  return LogReader(std::make_shared<PackedFiles>(std::move(task.files)), spec);
}

// A task that is packed while its folder is read is read again: the table knows it no more before
// the first file goes.
Result<LogChunk> FoundTasks::ReadLog(const TaskKey& key, std::int64_t offset,
                                     std::size_t limit) const {
  if (const KnownTaskPointer task = table_.Find(key)) {
    // Asked before the log is read: what was written before the end is then in the answer.
    const bool ended = table_.StatusOf(key).state == TaskState::kEnded;
    Result<LogChunk> chunk = LogReader(task->folder.path(), task->spec).Read(offset, limit);
    if (chunk) chunk->at_end = chunk->at_end && ended;
    if (table_.Find(key) == task) return chunk;
  }
  YARD_ASSIGN(const LogReader packed, PackedLog(key));
  return packed.Read(offset, limit);
}

Result<std::int64_t> FoundTasks::LogOffsetAt(const TaskKey& key, Time at) const {
  if (const KnownTaskPointer task = table_.Find(key)) {
    Result<std::int64_t> offset = LogReader(task->folder.path(), task->spec).OffsetAt(at);
    if (table_.Find(key) == task) return offset;
  }
  YARD_ASSIGN(const LogReader packed, PackedLog(key));
  return packed.OffsetAt(at);
}

}  // namespace yard::engine
