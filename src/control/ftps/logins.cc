#include "control/ftps/logins.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/strings.h"
#include "base/uuid.h"
#include "control/auth/access.h"
#include "control/auth/identity.h"

namespace yard::control {
namespace {

constexpr std::string_view kHeading = "gpuyard ftps 1";
constexpr std::chrono::milliseconds kBetweenLooks(500);
constexpr std::size_t kLongestPart = 24;  // of a project's name in that of a login

std::unexpected<Error> Damaged(std::string_view line) {
  return Fail(Code::kInternal,
              fmt::format("the records of FTPS are damaged at '{}'", line.substr(0, 40)),
              "restore the file ftps-logins of the data directory, or remove it");
}

// The project for people, and digits that make it one of its own.
std::string NameFor(const Project& project, Random& random) {
  std::string part;
  for (const char c : Lower(project.name)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    part += plain ? c : '-';
  }
  std::array<std::uint8_t, 4> digits{};
  random.Fill(digits);
  return fmt::format("{}-{:02x}", part.substr(0, kLongestPart), fmt::join(digits, ""));
}

bool MaySignIn(const State& state, const FtpsLogin& login) {
  const Ptr<User> user = state.Find<User>(login.user);
  const Ptr<Project> project = state.Find<Project>(login.project);
  if (!user || !project || user->session_epoch != login.epoch) return false;
  const Principal who{
      .type = SubjectType::kUser, .id = user->email, .groups = user->groups, .user = user->id};
  return Access(state, who).May(Resource::kDataVolumes, Action::kCreate, state.PathOf(*project));
}

Status ReadLine(std::string_view line, FtpsRecords& records) {
  const std::vector<std::string_view> words = Split(line, '\t');
  const auto project = words.size() > 1 ? ParseInt(words[1]) : std::nullopt;
  if (project && words[0] == "project" && words.size() == 3) {
    const auto number = ParseInt(words[2]);
    if (!number || *number < 0 || *number > UINT16_MAX) return Damaged(line);
    records.numbers[ProjectId{*project}] = static_cast<std::uint32_t>(*number);
    return {};
  }
  if (!project || words[0] != "login" || words.size() != 7) return Damaged(line);
  const auto user = ParseUuid(words[4]);
  const auto epoch = ParseInt(words[5]);
  const auto created = ParseInt(words[6]);
  if (!user || !epoch || !created) return Damaged(line);
  std::string name(words[2]);
  records.logins[name] = FtpsLogin{.name = name,
                                   .hash = std::string(words[3]),
                                   .user = UserId{*user},
                                   .epoch = *epoch,
                                   .project = ProjectId{*project},
                                   .created_at = Time{*created}};
  return {};
}

}  // namespace

std::string WriteFtpsRecords(const FtpsRecords& records) {
  std::string text = fmt::format("{}\n", kHeading);
  for (const auto& [project, number] : records.numbers)
    text += fmt::format("project\t{}\t{}\n", project.value, number);
  for (const auto& [name, login] : records.logins) {
    text += fmt::format("login\t{}\t{}\t{}\t{}\t{}\t{}\n", login.project.value, name, login.hash,
                        FormatUuid(login.user.value), login.epoch, login.created_at.micros);
  }
  return text;
}

Result<FtpsRecords> ReadFtpsRecords(std::string_view text) {
  FtpsRecords records;
  if (text.empty()) return records;
  const std::vector<std::string_view> lines = Split(text, '\n');
  // Without its last line end it was cut.
  if (lines.front() != kHeading || !lines.back().empty()) return Damaged(lines.front());
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) YARD_TRY(ReadLine(lines[i], records));
  for (const auto& [name, login] : records.logins) {
    if (!records.numbers.contains(login.project)) return Damaged(name);
  }
  return records;
}

Result<std::unique_ptr<FtpsLogins>> FtpsLogins::Open(Service& service, FtpsLoginsOptions options) {
  YARD_ASSIGN(FtpsRecords records, ReadFtpsRecords(options.records));
  std::unique_ptr<FtpsLogins> opened(new FtpsLogins(service, std::move(options)));
  {
    const MutexLock lock(opened->mutex_);
    opened->records_ = std::move(records);
    YARD_TRY(opened->Publish());
  }
  opened->thread_ = std::thread([logins = opened.get()] { logins->Loop(); });
  return opened;
}

FtpsLogins::~FtpsLogins() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Result<FtpsLogins::Made> FtpsLogins::Make(UserId user, const Project& project) {
  Made made{.login = {}, .password = MakePassword(options_.random)};
  YARD_ASSIGN(made.login.hash, options_.hash(made.password));
  const Snapshot state = service_.Read();
  const Ptr<User> owner = state->Find<User>(user);
  if (!owner) return Fail(Code::kNotFound, "this user is gone");
  made.login.name = NameFor(project, options_.random);
  made.login.user = user;
  made.login.epoch = owner->session_epoch;
  made.login.project = project.id;
  made.login.created_at = service_.Now();
  const MutexLock lock(mutex_);
  const auto has = std::ranges::count_if(records_.logins, [&](const auto& one) {
    return one.second.user == user && one.second.project == project.id;
  });
  if (static_cast<std::size_t>(has) >= options_.most_of_one)
    return Fail(Code::kConflict,
                fmt::format("you have {} FTPS passwords in this project already", has),
                "remove one of them: `gpuyard ftps ls`, `gpuyard ftps rm NAME`");
  FtpsRecords records = records_;
  if (records.numbers.size() >= options_.most_projects && !records.numbers.contains(project.id))
    return Fail(Code::kUnavailable,
                fmt::format("{} projects use FTPS already; there is room for no "
                            "more",
                            records.numbers.size()));
  records.numbers.try_emplace(project.id, static_cast<std::uint32_t>(records.numbers.size()));
  if (!records.logins.try_emplace(made.login.name, made.login).second)
    return Fail(Code::kUnavailable, "this name exists already", "try again");
  YARD_TRY(Keep(std::move(records)));
  return made;
}

std::vector<FtpsLogin> FtpsLogins::List(ProjectId project) const {
  const MutexLock lock(mutex_);
  std::vector<FtpsLogin> found;
  for (const auto& [name, login] : records_.logins) {
    if (login.project == project) found.push_back(login);
  }
  return found;
}

std::optional<FtpsLogin> FtpsLogins::Find(ProjectId project, std::string_view name) const {
  for (FtpsLogin& login : List(project)) {
    if (login.name == name) return std::move(login);
  }
  return std::nullopt;
}

Status FtpsLogins::Remove(ProjectId project, const std::string& name) {
  const MutexLock lock(mutex_);
  FtpsRecords records = records_;
  const auto found = records.logins.find(name);
  if (found == records.logins.end() || found->second.project != project)
    return Fail(Code::kNotFound, fmt::format("there is no FTPS login '{}'", name));
  records.logins.erase(found);
  return Keep(std::move(records));
}

Status FtpsLogins::Keep(FtpsRecords records) {
  YARD_TRY(options_.keep(WriteFtpsRecords(records)));
  records_ = std::move(records);
  seen_ = nullptr;
  return Publish();
}

Status FtpsLogins::Publish() {
  Snapshot state = service_.Read();
  if (state == seen_) return {};
  std::vector<FtpsEntry> entries;
  std::vector<std::string> names;
  for (const auto& [name, login] : records_.logins) {
    if (!MaySignIn(*state, login)) continue;
    entries.push_back({name, login.hash, records_.numbers.at(login.project), login.project});
    names.push_back(name);
  }
  const bool first = seen_ == nullptr;
  if (first || names != published_) YARD_TRY(options_.publish(entries));
  published_ = std::move(names);
  seen_ = std::move(state);
  return {};
}

void FtpsLogins::Loop() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (const Status published = Publish(); !published)
      log::Warning("FTPS: who may sign in could not be written",
                   {{"why", published.error().message}});
    wake_.wait_for(lock, kBetweenLooks);
  }
}

}  // namespace yard::control
