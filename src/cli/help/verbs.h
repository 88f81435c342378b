// The verbs as a whole: their groups in the help, and what to say about one that does not exist.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace yard::cli {

// Puts every verb of `app` under its heading. Call when all are there.
void GroupVerbs(CLI::App& app);

// kInvalid, with the nearest verb or the one that does what another program's does, if the line
// leads to a verb that `app`, or the verb before it, does not have.
Status CheckVerb(const CLI::App& app, const std::vector<std::string>& words);

// What to say when a verb was given words that it does not take: they are still in `app`.
Error UnexpectedWords(const CLI::App& app);

// The help of the verb that the words lead to; of the program itself without any.
Result<std::string> HelpOf(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace yard::cli
