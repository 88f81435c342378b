#include "slice/agent/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "slice/agent/folder.h"
#include "slice/telemetry.h"

namespace yard::slice {
namespace {

constexpr int kQuickAudits = 5;  // each makes the driver's other callers wait a little

void SendReply(int fd, const Reply& reply, int region_fd) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec part{const_cast<Reply*>(&reply), sizeof(reply)};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (region_fd >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &region_fd, sizeof(int));
  }
  sendmsg(fd, &message, MSG_NOSIGNAL);
}

// The one question of a connection; a peer that says nothing within a second is let go.
bool ReadWish(int fd, Wish* wish) {
  pollfd watch{fd, POLLIN, 0};
  if (poll(&watch, 1, 1000) <= 0) return false;
  const ssize_t got = recv(fd, wish, sizeof(*wish), 0);
  if (got < static_cast<ssize_t>(sizeof(Hello)) || wish->hello.magic != kHelloMagic) return false;
  const bool wishes = wish->hello.role == Role::kGrower || wish->hello.role == Role::kLooker;
  return !wishes || got == static_cast<ssize_t>(sizeof(*wish));
}

// As one word.
std::string DriverVersion(const std::string& real_nvml) {
  const auto nvml = Nvml::Open(real_nvml);
  std::string version = nvml ? ReadVersions(*nvml).driver.value_or("unknown") : "unknown";
  std::ranges::replace(version, ' ', '-');
  return version;
}

}  // namespace

Keeper::Keeper(KeeperOptions options, OnEvent on_event)
    : options_(std::move(options)),
      on_event_(std::move(on_event)),
      gates_(options_.lease),
      sizes_(options_.context_sizes, DriverVersion(options_.real_nvml)) {
  if (pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0) wake_[0] = wake_[1] = -1;
  server_ = std::thread([this] { Serve(); });
  auditor_ = std::thread([this] { AuditLoop(); });
}

Keeper::~Keeper() {
  stop_ = true;
  Wake();
  audit_soon_.notify_all();
  server_.join();
  auditor_.join();
  for (const Looker& looker : lookers_) close(looker.fd);
  for (const auto& seat : seats_) {
    gates_.Leave(&*seat->slice.region());
    close(seat->listener);
  }
  close(wake_[0]);
  close(wake_[1]);
}

void Keeper::Wake() {
  [[maybe_unused]] const auto written = write(wake_[1], "", 1);
}

Keeper::Seat* Keeper::Find(const std::string& name) {
  const auto found = std::ranges::find(seats_, name, [](const auto& s) { return s->slice.name(); });
  return found == seats_.end() ? nullptr : found->get();
}

Result<std::string> Keeper::Open(Slice slice, SliceSpec::Beside beside) {
  std::string folder = options_.root + "/" + slice.name();
  YARD_TRY(MakeFolder(folder, {options_.library, options_.real_cuda, options_.real_nvml}));
  YARD_ASSIGN(const int listener, Listen(folder));
  std::lock_guard hold(mutex_);
  for (int i = 0; i < slice.gpu_count(); ++i)
    if (const auto known = sizes_.SizeOf(FormatUuid(slice.terms(i).uuid)); known != 0)
      slice.SetContextBytes(i, known);
  seats_.push_back(std::make_unique<Seat>(Seat{std::move(slice), folder, listener, beside}));
  if (ParkingOf(*seats_.back()) == Parking::kHere) gates_.Join(&*seats_.back()->slice.region());
  BalanceAll();
  Wake();
  return folder;
}

Result<std::string> Keeper::Add(const SliceSpec& spec) {
  {
    std::lock_guard hold(mutex_);
    if (Find(spec.name) != nullptr)
      return Fail(Code::kConflict, "slice " + spec.name + " exists already");
    for (const GpuLimit& gpu : spec.gpus) YARD_TRY(CheckRequest(gpu.uuid, gpu.soft));
  }
  YARD_ASSIGN(SharedRegion region, SharedRegion::Create(spec.number, spec.gpus, spec.mode));
  return Open(Slice(spec.name, std::move(region)), spec.beside);
}

Result<std::string> Keeper::Adopt(const SliceSpec& spec, pid_t holder) {
  YARD_ASSIGN(SharedRegion region, SharedRegion::FromHolder(holder, spec.number));
  Slice slice(spec.name, std::move(region));
  if (!spec.gpus.empty()) slice.Restate(spec.gpus, spec.mode);
  slice.AdoptMembers();
  return Open(std::move(slice), spec.beside);
}

Status Keeper::Remove(const std::string& name) {
  std::lock_guard hold(mutex_);
  Seat* const seat = Find(name);
  if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
  gates_.Leave(&*seat->slice.region());
  close(seat->listener);
  std::erase_if(seats_, [seat](const auto& s) { return s.get() == seat; });
  BalanceAll();
  Wake();
  return {};
}

Result<SliceState> Keeper::State(const std::string& name) {
  std::lock_guard hold(mutex_);
  Seat* const seat = Find(name);
  if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
  SliceState state{
      static_cast<int>(seat->slice.members().size()), {}, ParkingOf(*seat) == Parking::kAway};
  for (int i = 0; i < seat->slice.gpu_count(); ++i) {
    const Gpu& gpu = seat->slice.region()->gpu[i];
    const Terms& terms = seat->slice.terms(i);
    state.gpus.push_back({terms.hard, gpu.used, gpu.overhead, gpu.refused, seat->slice.Drift(i),
                          gpu.lease_ns, terms.soft, terms.limit, gpu.room, seat->seen[i],
                          seat->peak[i], terms.context_bytes});
  }
  return state;
}

Result<int> Keeper::RegionFd(const std::string& name) {
  std::lock_guard hold(mutex_);
  Seat* const seat = Find(name);
  if (seat == nullptr) return Fail(Code::kNotFound, "slice " + name + " does not exist");
  return seat->slice.region().fd();
}

void Keeper::AnswerCaller(Seat& seat) {
  const int fd = accept4(seat.listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd < 0) return;
  Wish wish{};
  ucred peer{};
  socklen_t size = sizeof(peer);
  Reply reply{kHelloMagic, Answer::kWelcome, kNoSlot, 0};
  if (ReadWish(fd, &wish) && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) {
    const Role role = wish.hello.role;
    if (wish.hello.abi != kRegionAbi)
      reply.answer = Answer::kWrongAbi;
    else if (role != Role::kObserver && ParkingOf(seat) != Parking::kHere)
      reply.answer = Answer::kParked;
    else if (role == Role::kLooker && TakeLooker(seat, {fd, peer.pid}, wish))
      return;  // the auditing thread answers
    else if (role == Role::kProcess)
      reply.answer = seat.slice.Register(peer.pid, wish.hello.inner_pid, &reply.slot);
    else if (role == Role::kGrower)
      reply.answer = GrantWish(seat, wish) ? Answer::kWelcome : Answer::kNoRoom;
    const bool gets_region = role == Role::kProcess || role == Role::kObserver;
    const bool welcome = reply.answer == Answer::kWelcome && gets_region;
    SendReply(fd, reply, welcome ? seat.slice.region().fd() : -1);
    if (welcome && role == Role::kProcess) {
      hurry_ = kQuickAudits;
      AuditNow();
      on_event_({EventKind::kJoined, seat.slice.name(), "process " + std::to_string(peer.pid)});
    }
  }
  close(fd);
}

void Keeper::ReapAll() {
  for (const auto& seat : seats_) {
    const int gone = seat->slice.Reap();
    if (gone == 0) continue;
    AuditNow();  // what the driver had taken for them is free again
    on_event_({EventKind::kLeft, seat->slice.name(), std::to_string(gone) + " processes ended"});
  }
}

// Told once a slice; whatever was written is undone each time.
void Keeper::GuardAll() {
  for (const auto& seat : seats_) {
    if (!seat->slice.Guard() || std::exchange(seat->written, true)) continue;
    on_event_(
        {EventKind::kWritten, seat->slice.name(),
         "a program wrote the limits of its slice, which the node keeps; they are as before"});
  }
}

// Waits for a caller, a death or a change of the set of slices, then does what there is to do.
void Keeper::ServeOnce(int timeout_ms) {
  std::vector<pollfd> watched = {{wake_[0], POLLIN, 0}};
  {
    std::lock_guard hold(mutex_);
    for (const auto& seat : seats_) {
      watched.push_back({seat->listener, POLLIN, 0});
      for (const Member& member : seat->slice.members())
        watched.push_back({member.pidfd, POLLIN, 0});
    }
  }
  if (poll(watched.data(), watched.size(), timeout_ms) < 0) return;
  char drained[64];
  while (read(wake_[0], drained, sizeof(drained)) > 0) {
  }
  std::lock_guard hold(mutex_);
  GuardAll();
  ReapAll();
  for (const auto& seat : seats_) {
    pollfd caller{seat->listener, POLLIN, 0};
    while (poll(&caller, 1, 0) > 0) AnswerCaller(*seat);
    seat->slice.region()->keeper_beat_ns.fetch_add(1);
  }
  BalanceAll();
}

void Keeper::Serve() {
  while (!stop_) ServeOnce(200);
}

}  // namespace yard::slice
