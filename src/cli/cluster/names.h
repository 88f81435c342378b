// Names and values that go into command lines of other hosts, into Slurm's settings and into the
// server's: each is taken only if it means nothing there but itself. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::cli {

bool IsClusterName(std::string_view name);  // small letters, digits, '-'
bool IsHostName(std::string_view name);     // what --hosts takes: letters, digits, '.', '-', '_'
bool IsNodeName(std::string_view name);     // what a host calls itself: letters, digits, '-'
bool IsAddress(std::string_view text);      // of IPv4 or IPv6
bool IsAccountName(std::string_view name);  // never root
bool IsSharedFolder(std::string_view path);
bool IsPlainPath(std::string_view path);  // of a file on this machine
bool IsPublicKey(std::string_view line);  // "ssh-ed25519 AAAA…", a comment may follow

// kInvalid with what is wrong and what would be right.
Status CheckClusterName(std::string_view name);
Status CheckHostName(std::string_view name);

}  // namespace yard::cli
