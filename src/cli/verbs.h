// The verbs of the command line, one file each under cli/verbs/.
//
// Parsing a command line of `app` runs the chosen verb and leaves the outcome in the session's
// exit code. `app` must not outlive `session`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"

namespace CLI {
class App;
}

namespace yard::cli {

void AddLogin(CLI::App& app, Session& session);
void AddLogout(CLI::App& app, Session& session);
void AddWhoami(CLI::App& app, Session& session);
void AddVersion(CLI::App& app, Session& session);
void AddConfig(CLI::App& app, Session& session);
void AddGet(CLI::App& app, Session& session);
void AddDelete(CLI::App& app, Session& session);
void AddApply(CLI::App& app, Session& session);
void AddSubmit(CLI::App& app, Session& session);
void AddRun(CLI::App& app, Session& session);
void AddDev(CLI::App& app, Session& session);
void AddPs(CLI::App& app, Session& session);
void AddShow(CLI::App& app, Session& session);
void AddLogs(CLI::App& app, Session& session);
void AddWait(CLI::App& app, Session& session);
void AddHistory(CLI::App& app, Session& session);
void AddOrders(CLI::App& app, Session& session);   // cancel, hold, release, …
void AddCluster(CLI::App& app, Session& session);  // why, queue, nodes, gpus, eff
void AddEnter(CLI::App& app, Session& session);    // exec, shell, attach, forward
void AddFiles(CLI::App& app, Session& session);    // cp, ssh, ssh-proxy
void AddTop(CLI::App& app, Session& session);
void AddReport(CLI::App& app, Session& session);
void AddAudit(CLI::App& app, Session& session);
void AddQuota(CLI::App& app, Session& session);
void AddNotify(CLI::App& app, Session& session);
void AddReservation(CLI::App& app, Session& session);
void AddHostAccess(CLI::App& app, Session& session);
void AddCare(CLI::App& app, Session& session);  // doctor, support-bundle
void AddHelp(CLI::App& app, Session& session);  // help, man, completion

// All of the above.
void AddVerbs(CLI::App& app, Session& session);

// Whether this is to be Run:ai's command line: the program is called `runai`, or the first word
// is (and is taken away).
bool TakesRunai(std::string_view program, std::vector<std::string>& words);

// Takes "--" and what follows out of the words, if they name a verb that takes a command.
void SplitTail(std::vector<std::string>& words, Session& session);

}  // namespace yard::cli
