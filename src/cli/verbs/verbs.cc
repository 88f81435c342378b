#include "cli/verbs.h"

#include <CLI/CLI.hpp>

namespace yard::cli {

void AddVerbs(CLI::App& app, Session& session) {
  for (auto* add :
       {AddLogin, AddLogout, AddWhoami, AddVersion, AddConfig, AddGet, AddApply, AddDelete}) {
    add(app, session);
  }
}

void AddFormatOption(CLI::App& verb, Session& session) {
  verb.add_option_function<std::string>(
          "-o,--output",
          [&session](const std::string& text) {
            std::optional<Format> format = ParseFormat(text);
            if (!format) {
              throw CLI::ValidationError("-o",
                                         "'" + text + "' is not one of " + std::string(kFormats));
            }
            session.SetFormat(*format);
          },
          "output format [table]")
      ->type_name(std::string(kFormats));
}

}  // namespace yard::cli
