// Telling the server about a cluster: the way to its files, and what a person still has to do.
#pragma once

#include <string>

#include "cli/cluster/attach.h"
#include "cli/cluster/description.h"
#include "cli/cluster/facts.h"
#include "cli/cluster/orders.h"
#include "cli/cluster/server_files.h"
#include "cli/session.h"

namespace yard::cli {

// In `server_folder`, or where the descriptions lie if that is empty.
ServerFiles ServerFilesOf(const Session& session, const std::string& server_folder,
                          const std::string& server_account);

ClusterEntry EntryOf(const ClusterDescription& cluster, const std::vector<HostFacts>& hosts,
                     const ServerFiles& files);

// The files and the section of a cluster that this program made.
Status TellServer(Session& session, const ServerFiles& files, const ClusterEntry& entry,
                  const HostFacts& login);
// The section alone, into the server's file or printed.
Status WriteOrPrint(Session& session, const ServerFiles& files, const ClusterEntry& entry);

std::string AbsolutePath(const std::string& path);

}  // namespace yard::cli
