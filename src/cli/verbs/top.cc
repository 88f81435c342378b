// top: work as it changes, full screen.
#include <poll.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/enter/enter.h"
#include "cli/enter/terminal.h"
#include "cli/output.h"
#include "cli/top/feed.h"
#include "cli/top/log.h"
#include "cli/top/model.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/orders.h"
#include "cli/work/story.h"
#include "cli/work/why.h"

namespace yard::cli {
namespace {

using client::Outcome;

constexpr int kTick = 1000;  // milliseconds
constexpr std::int64_t kLogLines = 2000;

void Write(std::string_view text) {
  WriteAll(STDOUT_FILENO, text.data(), text.size());
}

// The alternate screen, raw, without a cursor, for as long as it lives.
class Screen {
 public:
  Screen() : raw_(std::make_unique<RawMode>(STDIN_FILENO)) { Write("\x1b[?1049h\x1b[?25l"); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen() { Write("\x1b[?25h\x1b[?1049l"); }

 private:
  std::unique_ptr<RawMode> raw_;
};

class TopScreen {
 public:
  TopScreen(Session& session, std::string me) : session_(session), me_(std::move(me)) {}

  Outcome<void> Run() {
    YARD_ASSIGN(client::Client * server, session_.Server());
    screen_ = std::make_unique<Screen>();
    feed_ = std::make_unique<TopFeed>(server->options(), session_.around(), me_);
    ResizeSignal resized;
    Resize();
    while (true) {
      Draw();
      // poll leaves a negative descriptor out.
      const int log = log_ ? log_->fd() : -1;
      std::array<pollfd, 4> fds{{{STDIN_FILENO, POLLIN, 0},
                                 {feed_->fd(), POLLIN, 0},
                                 {resized.fd(), POLLIN, 0},
                                 {log, POLLIN, 0}}};
      poll(fds.data(), fds.size(), kTick);
      if (fds[2].revents != 0) {
        resized.Drain();
        Resize();
      }
      if (fds[1].revents != 0) TakeView();
      if (fds[3].revents != 0) TakeLog();
      if (fds[0].revents != 0 && !TakeInput()) break;
      // Somebody went back to the list.
      if (log_ && state_.pane != TopPane::kText) LeaveLog();
    }
    screen_.reset();
    return {};
  }

 private:
  void Resize() {
    WindowSize size = SizeOf(STDOUT_FILENO);
    state_.rows = size.rows;
    state_.columns = size.columns;
    Write("\x1b[2J");
  }

  void TakeView() {
    TopView view = feed_->Take();
    // While the server is away, what was known stays on the screen.
    if (view.rows.empty() && !view.notice.empty()) view.rows = std::move(state_.view.rows);
    state_.view = std::move(view);
  }

  // Its thread ends within a second, which nobody wants to wait for here.
  void LeaveLog() {
    log_->Stop();
    left_log_ = std::move(log_);
  }

  void TakeLog() {
    TopLog::News news = log_->Take();
    if (!news.text.empty()) AddText(state_, news.text);
    if (!news.notice.empty()) state_.refused = news.notice;
  }

  void Draw() {
    state_.now = session_.around().clock.Now();
    std::string out = "\x1b[H";
    std::vector<std::string> lines = RenderTop(state_);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out += lines[i] + "\x1b[K" + (i + 1 < lines.size() ? "\r\n" : "");
    Write(out);
  }

  // False: quit.
  bool TakeInput() {
    std::array<char, 256> buffer{};
    ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got <= 0) return false;
    input_.append(buffer.data(), static_cast<std::size_t>(got));
    for (const std::string& key : TakeKeys(input_)) {
      TopOrder order = TakeKey(state_, key);
      if (order == TopOrder::kQuit) return false;
      if (order != TopOrder::kNone) Obey(order);
    }
    return true;
  }

  void Obey(TopOrder order) {
    if (order == TopOrder::kEveryone) return Everyone();
    const TopRow* chosen = Chosen(state_);
    if (chosen == nullptr) return;
    TopRow row = *chosen;
    Outcome<void> done = ObeyFor(order, row);
    if (!done) state_.refused = done.error().error.message;
  }

  Outcome<void> ObeyFor(TopOrder order, const TopRow& row) {
    YARD_ASSIGN(client::Client * server, session_.Server());
    YARD_ASSIGN(json::value workload, server->Get("/api/v1/workloads/" + row.id));
    Time now = session_.around().clock.Now();
    if (order == TopOrder::kCancel) {
      YARD_TRY(Cancel(session_, workload));
      state_.refused = row.name + " is cancelled";
    } else if (order == TopOrder::kShell) {
      return Shell(row);
    } else if (order == TopOrder::kWhy) {
      YARD_ASSIGN(json::value why, server->Get(PathOf(workload, "/why")));
      SetText(state_, "why " + row.name, RenderWhy(why, now));
    } else if (order == TopOrder::kLogs) {
      SetText(state_, "logs " + row.name, "");
      log_ = std::make_unique<TopLog>(server->options(), session_.around(), row.id, kLogLines);
    } else {
      json::array attempts = AttemptsOf(session_, row.id).value_or(json::array());
      json::array events;
      json::value submitted = server->Get(KindPathOf(workload, "")).value_or(json::value());
      Story story{&workload, &At(submitted, "spec"), &attempts, &events};
      SetText(state_, row.name, RenderStory(story, 0, now));
    }
    return {};
  }

  // The terminal belongs to the shell for a while.
  Outcome<void> Shell(const TopRow& row) {
    screen_.reset();
    Outcome<void> done = OpenShell(session_, row.id, 0);
    session_.exit_code = ExitCode::kOk;
    screen_ = std::make_unique<Screen>();
    Resize();
    return done;
  }

  void Everyone() {
    Outcome<std::string> me = WhoAmI(session_);
    if (!me) return;
    me_ = me_.empty() ? *me : "";
    Outcome<client::Client*> server = session_.Server();
    feed_ = std::make_unique<TopFeed>((*server)->options(), session_.around(), me_);
  }

  Session& session_;
  std::string me_;
  TopState state_;
  std::string input_;
  std::unique_ptr<Screen> screen_;
  std::unique_ptr<TopFeed> feed_;
  std::unique_ptr<TopLog> log_;       // while the text on the screen is a log
  std::unique_ptr<TopLog> left_log_;  // the one before, which may still be ending
};

enum class Whose { kMine, kEverybodys };

Outcome<void> Top(Session& session, Whose whose) {
  if (!IsTerminal(STDIN_FILENO) || !IsTerminal(STDOUT_FILENO))
    return std::unexpected(client::Failure(
        {Code::kInvalid, "top needs a terminal", "`gpuyard ps -w` works in a pipe"}));
  YARD_ASSIGN(std::string me, WhoAmI(session));
  return TopScreen(session, whose == Whose::kEverybodys ? "" : me).Run();
}

}  // namespace

void AddTop(CLI::App& app, Session& session) {
  auto everyone = std::make_shared<bool>(false);
  Verb verb = Verb(app, session).Add("top", "Watch work as it changes, full screen");
  verb.Flag("-A,--all-users", *everyone, "everybody's").Examples("gpuyard top\ngpuyard top -A");
  verb.Run(
      [everyone, &session] { return Top(session, *everyone ? Whose::kEverybodys : Whose::kMine); });
}

}  // namespace yard::cli
