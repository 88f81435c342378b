#include "cli/help/man.h"

#include <fmt/format.h>
#include <filesystem>
#include <fstream>

#include <CLI/CLI.hpp>

#include "base/strings.h"
#include "base/version.h"

namespace yard::cli {
namespace {

// A dot or quote at the start of a line and a backslash anywhere would be commands.
std::string Roff(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\') out += "\\e";
    if (c == '-') out += "\\-";
    if (c != '\\' && c != '-') out += c;
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string TitleOf(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : TitleOf(*parent) + " " + app.get_name();
}

bool IsShown(const CLI::Option& option) {
  return !option.get_group().empty();
}

std::string ValueOf(const CLI::Option& option) {
  if (option.get_positional()) return {};
  std::string value = option.get_type_name();
  if (option.get_expected_max() == 0) value.clear();
  return value;
}

std::string Synopsis(const CLI::App& app) {
  std::string out = fmt::format(".B {}\n", Roff(TitleOf(app)));
  out += "[\\fIOPTIONS\\fR]\n";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    std::string name = Roff(option->get_name(true));
    out += option->get_required() ? fmt::format("\\fI{}\\fR\n", name)
                                  : fmt::format("[\\fI{}\\fR]\n", name);
  }
  if (app.get_prefix_command()) out += "[\\-\\-] [\\fICOMMAND\\fR ...]\n";
  if (!app.get_subcommands({}).empty()) out += "\\fIVERB\\fR ...\n";
  return out;
}

std::string Options(const CLI::App& app) {
  std::string out;
  std::string heading;
  for (const CLI::Option* option : app.get_options()) {
    if (!IsShown(*option)) continue;
    if (option->get_group() != heading && option->get_group() != "Options")
      out += fmt::format(".SS {}\n", Roff(option->get_group()));
    heading = option->get_group();
    std::string name =
        option->get_positional() ? option->get_name(true) : option->get_name(false, true);
    std::string value = ValueOf(*option);
    out += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", Roff(name),
                       value.empty() ? "" : fmt::format(" \\fI{}\\fR", Roff(value)),
                       Roff(option->get_description()));
  }
  return out.empty() ? out : ".SH OPTIONS\n" + out;
}

std::string Verbs(const CLI::App& app) {
  std::string out;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_group().empty()) continue;
    out +=
        fmt::format(".TP\n\\fB{}\\fR\n{}\n", Roff(verb->get_name()), Roff(verb->get_description()));
  }
  return out.empty() ? out : ".SH VERBS\n" + out;
}

std::string Examples(const CLI::App& app) {
  std::string footer = app.get_footer();
  if (footer.empty()) return {};
  std::string out = ".SH EXAMPLES\n.nf\n";
  for (std::string_view line : Split(footer, '\n')) {
    if (!line.starts_with("Example")) out += Roff(line) + "\n";
  }
  return out + ".fi\n";
}

std::string ManName(const CLI::App& app) {
  std::string name = TitleOf(app);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string ManPage(const CLI::App& app) {
  std::string name = ManName(app);
  std::string out = fmt::format(".TH {} 1 \"\" \"gpuyard {}\"\n", name, kVersion);
  out += fmt::format(".SH NAME\n{} \\- {}\n", Roff(name), Roff(app.get_description()));
  out += ".SH SYNOPSIS\n" + Synopsis(app);
  out += Verbs(app) + Options(app) + Examples(app);
  out += ".SH EXIT STATUS\n0 when all went well; other codes are listed in docs/cli.md.\n";
  if (const CLI::App* parent = app.get_parent())
    out += fmt::format(".SH SEE ALSO\n.BR {} (1)\n", Roff(ManName(*parent)));
  return out;
}

Status WritePage(const CLI::App& app, const std::filesystem::path& folder) {
  std::filesystem::path path = folder / (ManName(app) + ".1");
  std::ofstream file(path);
  file << ManPage(app);
  file.flush();
  if (!file) return Fail(Code::kInvalid, "cannot write " + path.string());
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_group().empty()) YARD_TRY(WritePage(*verb, folder));
  }
  return {};
}

}  // namespace

Result<std::string> ManPageOf(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* at = &root;
  for (const std::string& word : words) {
    const CLI::App* next = nullptr;
    for (const CLI::App* verb : at->get_subcommands({})) {
      if (verb->check_name(word)) next = verb;
    }
    if (next == nullptr)
      return Fail(Code::kInvalid, fmt::format("there is no verb '{}'", word),
                  "see `gpuyard --help`");
    at = next;
  }
  return ManPage(*at);
}

Status WriteManPages(const CLI::App& root, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return WritePage(root, folder);
}

}  // namespace yard::cli
