#include "api/testing/fake_live.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/check.h"

namespace yard::api::testing {
namespace {

using control::TaskChoice;
using engine::Session;

struct Pipe {
  UniqueFd reader;
  UniqueFd writer;
};

Pipe MakePipe() {
  std::array<int, 2> ends{};
  YARD_CHECK(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// A descriptor that reads as `text`.
UniqueFd Holding(std::string_view text) {
  UniqueFd file(memfd_create("fake", MFD_CLOEXEC));
  YARD_CHECK(::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::string Contents(int file) {
  std::string text(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
  YARD_CHECK(pread(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  return text;
}

}  // namespace

class FakeLive::Watch final : public engine::LogWatch {
 public:
  Watch(FakeLive& live, std::function<void()> grown) : live_(live), grown_(std::move(grown)) {
    std::lock_guard lock(live_.mutex_);
    live_.watches_.insert(this);
    live_.changed_.notify_all();
  }
  ~Watch() override {
    std::lock_guard lock(live_.mutex_);
    live_.watches_.erase(this);
    live_.changed_.notify_all();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  void Tell() const { grown_(); }

 private:
  FakeLive& live_;
  const std::function<void()> grown_;
};

class FakeLive::FakeSession final : public Session {
 public:
  FakeSession(FakeLive& live, UniqueFd input, UniqueFd output, UniqueFd error)
      : live_(live),
        input_(std::move(input)),
        output_(std::move(output)),
        error_(std::move(error)) {}
  ~FakeSession() override {
    std::lock_guard lock(live_.mutex_);
    ++live_.hang_ups_;
    live_.changed_.notify_all();
  }
  FakeSession(const FakeSession&) = delete;
  FakeSession& operator=(const FakeSession&) = delete;

  int input() const override { return input_.get(); }
  int output() const override { return output_.get(); }
  int error() const override { return error_.get(); }
  void CloseInput() override {
    if (is_upload_) {
      std::lock_guard lock(live_.mutex_);
      live_.upload_ = Contents(input_.get());
      live_.changed_.notify_all();
    }
    input_.Reset();
    beside_.Reset();
  }
  Status Resize(std::uint16_t rows, std::uint16_t columns) override {
    std::lock_guard lock(live_.mutex_);
    live_.size_ = {rows, columns};
    live_.changed_.notify_all();
    return {};
  }
  Result<std::int32_t> Wait() override { return exit_code_; }
  int ended() const override { return ended_.get(); }

  // Ends its output together with the input.
  void BindOutput(UniqueFd writer) { beside_ = std::move(writer); }
  void MarkUpload() { is_upload_ = true; }
  void SetExit(std::int32_t code) { exit_code_ = code; }

 private:
  FakeLive& live_;
  UniqueFd input_;
  UniqueFd output_;
  UniqueFd error_;
  UniqueFd beside_;
  const UniqueFd ended_{eventfd(1, EFD_CLOEXEC)};
  bool is_upload_ = false;
  std::int32_t exit_code_ = 7;
};

void FakeLive::TellWatches() {
  std::lock_guard lock(mutex_);
  for (Watch* watch : watches_) watch->Tell();
  changed_.notify_all();
}

void FakeLive::Write(std::string_view text, Time at) {
  {
    std::lock_guard lock(mutex_);
    written_.emplace_back(at, static_cast<std::int64_t>(log_.size()));
    log_ += text;
  }
  TellWatches();
}

void FakeLive::EndLog() {
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  TellWatches();
}

void FakeLive::DropLogBefore(std::int64_t offset) {
  std::lock_guard lock(mutex_);
  kept_from_ = offset;
}

void FakeLive::AwaitWatch() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !watches_.empty(); });
}

void FakeLive::AwaitNoWatch() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return watches_.empty(); });
}

std::size_t FakeLive::watches() {
  std::lock_guard lock(mutex_);
  return watches_.size();
}

std::string FakeLive::AwaitUpload() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return upload_.has_value(); });
  return *upload_;
}

std::pair<std::uint16_t, std::uint16_t> FakeLive::AwaitResize() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return size_.has_value(); });
  return *size_;
}

void FakeLive::AwaitHangUps(int count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return hang_ups_ >= count; });
}

void FakeLive::Note(const TaskChoice& task) {
  std::lock_guard lock(mutex_);
  last_task = task;
}

Result<engine::LogChunk> FakeLive::ReadLog(const TaskChoice& task, std::int64_t offset,
                                           std::size_t limit) {
  if (refusal) return Fail(*refusal);
  Note(task);
  std::lock_guard lock(mutex_);
  auto size = static_cast<std::int64_t>(log_.size());
  std::int64_t begin = std::clamp(offset, kept_from_, size);
  engine::LogChunk chunk{.offset = begin};
  chunk.bytes = log_.substr(static_cast<std::size_t>(begin), limit);
  chunk.next = begin + static_cast<std::int64_t>(chunk.bytes.size());
  chunk.at_end = ended_ && chunk.next == size;
  return chunk;
}

Result<std::int64_t> FakeLive::LogOffsetAt(const TaskChoice&, Time at) {
  if (refusal) return Fail(*refusal);
  std::lock_guard lock(mutex_);
  for (const auto& [time, offset] : written_) {
    if (time >= at) return offset;
  }
  return static_cast<std::int64_t>(log_.size());
}

Result<std::unique_ptr<engine::LogWatch>> FakeLive::WatchLog(const TaskChoice&,
                                                             std::function<void()> grown) {
  return std::make_unique<Watch>(*this, std::move(grown));
}

std::unique_ptr<Session> FakeLive::Echo() {
  Pipe loop = MakePipe();
  return std::make_unique<FakeSession>(*this, std::move(loop.writer), std::move(loop.reader),
                                       Holding("to stderr"));
}

Result<std::unique_ptr<Session>> FakeLive::Exec(const TaskChoice& task,
                                                const engine::ExecSpec& spec) {
  if (refusal) return Fail(*refusal);
  Note(task);
  commands.push_back(spec.command);
  if (spec.command.front() != "flood") return Echo();
  std::string much(kFlood, 'f');
  return std::make_unique<FakeSession>(*this, UniqueFd(), Holding(much), UniqueFd());
}

Result<std::unique_ptr<Session>> FakeLive::Attach(const TaskChoice& task) {
  if (refusal) return Fail(*refusal);
  Note(task);
  return Echo();
}

Result<UniqueFd> FakeLive::ConnectPort(const TaskChoice& task, std::uint16_t port) {
  if (refusal) return Fail(*refusal);
  Note(task);
  auto found = ports.find(port);
  if (found == ports.end()) {
    return Fail(Code::kUnavailable, fmt::format("nobody listens on port {}", port));
  }
  UniqueFd stream(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(found->second);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int failed = connect(stream.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  if (failed != 0) return Fail(Code::kUnavailable, "the port is closed");
  return stream;
}

Result<std::unique_ptr<Session>> FakeLive::ReadFiles(const TaskChoice& task,
                                                     const std::string& path) {
  if (refusal) return Fail(*refusal);
  Note(task);
  bool missing = path == "/missing";
  auto session =
      std::make_unique<FakeSession>(*this, UniqueFd(), Holding(missing ? "" : "tar of " + path),
                                    Holding(missing ? "tar: /missing: no such file\n" : ""));
  session->SetExit(missing || path == "/half" ? 2 : 0);
  return session;
}

Result<std::unique_ptr<Session>> FakeLive::WriteFiles(const TaskChoice& task, const std::string&) {
  if (refusal) return Fail(*refusal);
  Note(task);
  Pipe output = MakePipe();
  auto session =
      std::make_unique<FakeSession>(*this, Holding(""), std::move(output.reader), UniqueFd());
  session->BindOutput(std::move(output.writer));
  session->MarkUpload();
  session->SetExit(0);
  return session;
}

Result<std::unique_ptr<Session>> FakeLive::ListOutput(const TaskChoice& task, const std::string&) {
  if (refusal) return Fail(*refusal);
  Note(task);
  const std::string words =
      outputs.empty() ? "gpuyard: there is no such output folder: x\x1b\n" : "";
  auto session = std::make_unique<FakeSession>(*this, UniqueFd(), Holding(outputs), Holding(words));
  session->SetExit(outputs.empty() ? 1 : 0);
  return session;
}

Result<engine::TaskUsage> FakeLive::Usage(const TaskChoice& task) {
  if (refusal) return Fail(*refusal);
  Note(task);
  return engine::TaskUsage{.cpu = Seconds(90),
                           .memory = Mebibytes(100),
                           .memory_peak = Mebibytes(400),
                           .read_bytes = 10,
                           .write_bytes = 20,
                           .processes = 3};
}

Result<std::vector<control::LiveNode>> FakeLive::Nodes() {
  if (refusal) return Fail(*refusal);
  std::vector<control::LiveNode> nodes;
  service_.Read()->Of<Node>().Each([&](const Node& node) {
    engine::GpuState declared{.model = "A100", .memory = Mebibytes(40'960), .declared = true};
    engine::GpuState one = gpu.value_or(declared);
    one.uuid = "GPU-" + node.name;
    nodes.push_back({{.name = node.name, .gpus = {one}}, node.cluster});
  });
  return nodes;
}

Result<control::Why> FakeLive::Explain(WorkloadId) {
  if (refusal) return Fail(*refusal);
  control::Why why{.reason = "GpusBusy", .message = "No node has 2 free GPUs."};
  why.further = {"The quota is used up."};
  why.nodes = {{"a", "1 GPU too few"}};
  why.alternatives = {{"with 1 GPU", "starts now"}};
  why.position = 3;
  why.ahead = ahead;
  why.reserved_for = reserved_for;
  why.reserved_message = "Reserved for somebody.";
  why.earliest = Time{1'780'000'000'000'000};
  why.basis = "time limits";
  return why;
}

engine::Capabilities FakeLive::Abilities(ClusterId) {
  return {.name = "fake",
          .processes = true,
          .containers_missing = "there is no daemon",
          .parking = parking,
          .parking_missing = parking ? "" : "the driver is too old"};
}

Result<control::Why> FakeLive::DryRun(const Workload& draft, control::DryRunDepth depth) {
  if (refusal) return Fail(*refusal);
  last_draft = draft;
  if (depth == control::DryRunDepth::kPossibility) {
    return control::Why{.reason = "NodeTooSmall",
                        .message = "No node is large enough.",
                        .never = true,
                        .alternatives = {{"with 1 GPU per task", "could run", "fewerGpus", "1"}}};
  }
  return control::Why{
      .reason = "StartsNow", .message = "It would start now.", .starts_on = {"node0"}};
}

Result<std::vector<control::QueueLine>> FakeLive::Queue() {
  if (refusal) return Fail(*refusal);
  std::vector<control::QueueLine> lines;
  std::map<ProjectId, std::int64_t> places;
  service_.Read()->Of<Workload>().Each([&](const Workload& workload) {
    if (workload.deleted_at) return;
    lines.push_back(
        {.workload = workload.id, .position = ++places[workload.project], .reason = "GpusBusy"});
    lines.back().terms = {.policy = "FairShare", .pool = "default", .wants = MilliGpu(2000)};
    lines.back().terms->project = {MilliGpu(1000), MilliGpu(500), MilliGpu(4000), {}, 100};
  });
  return lines;
}

}  // namespace yard::api::testing
