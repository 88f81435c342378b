// The scripts of the steps, for a POSIX shell of root. Values come as arguments and input only.
#pragma once

#include <string>

namespace yard::cli::scripts {

// All of them first have the functions of kDaemonFunctions.
std::string WithFunctions(const char* script);

extern const char* const kMakeFolder;     // FOLDER ID
extern const char* const kSeeFolder;      // FOLDER ID
extern const char* const kInstall;        // CLUSTER PACKAGE…
extern const char* const kMakeAccount;    // NAME UID
extern const char* const kGiveFolder;     // FOLDER ACCOUNT
extern const char* const kMakeKey;        //
extern const char* const kReadKey;        //
extern const char* const kTakeKey;        // the key is its input
extern const char* const kStartMunge;     // plain|systemd
extern const char* const kWriteSettings;  // NAME; the text is its input
extern const char* const kStartDaemon;    // plain|systemd slurmctld|slurmd
extern const char* const kAwaitNodes;     // NODE…
extern const char* const kAuthorise;      // ACCOUNT; the key is its input
extern const char* const kForbid;         // ACCOUNT; the key is its input
extern const char* const kDrain;          // NODE
extern const char* const kAwaitJobs;      // NODE SECONDS
extern const char* const kGiveUpNode;     // NODE
extern const char* const kRefuseJobs;     // keep|cancel
extern const char* const kTakeAway;       // plain|systemd
extern const char* const kForgetFolder;   // FOLDER ID

}  // namespace yard::cli::scripts
