#include "cli/verb.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/strings.h"

namespace yard::cli {
namespace {

void ThrowIfWrong(const std::string& flags, const Status& status) {
  if (status) return;
  const Error& error = status.error();
  std::string text = error.message;
  if (!error.details.empty()) text += "; " + error.details;
  std::string name(Split(flags, ',').back());
  throw CLI::ValidationError(name, text);
}

// What follows the words the parser knows. A flag in first place is one nobody knows.
Status TakeCommand(const CLI::App& app, Session& session, std::vector<std::string>& target) {
  target = app.remaining();
  if (!target.empty() && target[0].starts_with('-')) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    std::vector<std::string_view> views(names.begin(), names.end());
    std::string word = target[0].substr(0, target[0].find('='));
    std::optional<std::string_view> near = Nearest(word, views);
    return Fail(Code::kInvalid,
                fmt::format("there is no option '{}'{}", word,
                            near ? fmt::format("; did you mean '{}'?", *near) : ""),
                "write -- before a command that starts with a dash");
  }
  target.insert(target.end(), session.tail.begin(), session.tail.end());
  return {};
}

}  // namespace

Verb Verb::Add(const std::string& name, const std::string& summary) const {
  return Verb(*app_->add_subcommand(name, summary), *session_);
}

Verb& Verb::Alias(const std::string& name) {
  app_->alias(name);
  return *this;
}

Verb& Verb::Hidden() {
  app_->group("");
  return *this;
}

Verb& Verb::NeedsVerb() {
  app_->require_subcommand(1);
  return *this;
}

Verb& Verb::Everywhere() {
  app_->fallthrough();
  return *this;
}

Verb& Verb::Heading(std::string heading) {
  heading_ = std::move(heading);
  return *this;
}

CLI::Option* Verb::Placed(CLI::Option* option) {
  if (!heading_.empty()) option->group(heading_);
  return option;
}

Verb& Verb::Text(const std::string& flags, std::string& target, const std::string& help,
                 const std::string& value) {
  Placed(app_->add_option(flags, target, help))->type_name(value)->take_last();
  return *this;
}

Verb& Verb::Texts(const std::string& flags, std::vector<std::string>& target,
                  const std::string& help, const std::string& value) {
  Placed(app_->add_option(flags, target, help))
      ->type_name(value)
      ->allow_extra_args(false)
      ->take_all();
  return *this;
}

Verb& Verb::NeedsTexts(const std::string& flags, std::vector<std::string>& target,
                       const std::string& help, const std::string& value) {
  Placed(app_->add_option(flags, target, help))
      ->type_name(value)
      ->allow_extra_args(false)
      ->take_all()
      ->required();
  return *this;
}

Verb& Verb::Flag(const std::string& flags, bool& target, const std::string& help) {
  Placed(app_->add_flag(flags, target, help))->take_last();
  return *this;
}

Verb& Verb::Number(const std::string& flags, std::int64_t& target, const std::string& help) {
  Placed(app_->add_option(flags, target, help))->type_name("N")->take_last();
  return *this;
}

Verb& Verb::Take(const std::string& flags, Reader read, const std::string& help,
                 const std::string& value) {
  auto each = [flags, read = std::move(read)](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) ThrowIfWrong(flags, read(text));
  };
  Placed(app_->add_option_function<std::vector<std::string>>(flags, each, help))
      ->type_name(value)
      ->allow_extra_args(false)
      ->take_all();
  return *this;
}

Verb& Verb::TakeFlag(const std::string& flags, std::function<void(bool)> take,
                     const std::string& help) {
  auto each = [take = std::move(take)](std::int64_t count) { take(count > 0); };
  Placed(app_->add_flag_function(flags, each, help))->take_last();
  return *this;
}

Verb& Verb::HiddenText(const std::string& flags, std::string& target) {
  app_->add_option(flags, target)->group("")->take_last();
  return *this;
}

Verb& Verb::HiddenFlag(const std::string& flags, bool& target) {
  app_->add_flag(flags, target)->group("")->take_last();
  return *this;
}

Verb& Verb::Word(const std::string& name, std::string& target, const std::string& help) {
  app_->add_option(name, target, help)->type_name("");
  return *this;
}

Verb& Verb::NeedsWord(const std::string& name, std::string& target, const std::string& help) {
  app_->add_option(name, target, help)->type_name("")->required();
  return *this;
}

Verb& Verb::Words(const std::string& name, std::vector<std::string>& target,
                  const std::string& help) {
  app_->add_option(name, target, help)->type_name("");
  return *this;
}

Verb& Verb::NeedsWords(const std::string& name, std::vector<std::string>& target,
                       const std::string& help) {
  app_->add_option(name, target, help)->type_name("")->required();
  return *this;
}

Verb& Verb::Command(std::vector<std::string>& target) {
  app_->prefix_command();
  app_->fallthrough(false);  // or the verb above would take the command's words for its own
  command_ = &target;
  return *this;
}

Verb& Verb::Format() {
  auto take = [session = session_](const std::string& text) {
    std::optional<cli::Format> format = ParseFormat(text);
    if (!format)
      throw CLI::ValidationError("-o", "'" + text + "' is not one of " + std::string(kFormats));
    session->SetFormat(*format);
  };
  app_->add_option_function<std::string>("-o,--output", take, "output format [table]")
      ->type_name(std::string(kFormats));
  return *this;
}

Verb& Verb::Examples(const std::string& text) {
  std::string lines;
  for (std::string_view line : Split(text, '\n'))
    if (!line.empty()) lines += fmt::format("\n  {}", line);
  bool one = std::ranges::count(text, '\n') == 0;
  app_->footer(fmt::format("Example{}:{}", one ? "" : "s", lines));
  return *this;
}

Verb& Verb::Footer(const std::string& text) {
  app_->footer(text);
  return *this;
}

void Verb::Run(std::function<client::Outcome<void>()> run) {
  app_->callback([app = app_, session = session_, command = command_, run = std::move(run)] {
    if (!app->get_subcommands().empty()) return;  // a verb below it was chosen
    if (command != nullptr) {
      if (Status taken = TakeCommand(*app, *session, *command); !taken) {
        session->Usage(taken.error());
        return;
      }
    }
    client::Outcome<void> done = run();
    if (done) return;
    bool ours = done.error().status == 0 && done.error().error.code == Code::kInvalid;
    if (ours) {
      session->Usage(done.error().error);
    } else {
      session->Report(done.error());
    }
  });
}

}  // namespace yard::cli
