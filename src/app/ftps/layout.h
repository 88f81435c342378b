// Where the FTPS server has its files and which ids it and its users have: what root prepares, what
// the server hands over, and what the cage sees agree by these names.
//
// USERS is a file system in memory that the server writes and the cage reads: the certificate, and
// who may sign in. Uploads that fill their disk cannot keep it from being written.
//
// DIR is the folder of the setting `ftps-dir`. Root owns it; others cannot enter it:
//   DIR/files    a folder for each project, by its id, with what its members have uploaded
//   DIR/view     where the cage makes its view of the file system
#pragma once

#include <cstdint>

namespace yard::app::ftps {

inline constexpr char kUsersFolder[] = "users";  // in the cage
inline constexpr char kFilesFolder[] = "files";
inline constexpr char kViewFolder[] = "view";

// In USERS. The certificate's names say which kind of key it has.
inline constexpr char kUsersFile[] = "users";
inline constexpr char kRsaCertificate[] = "rsa.crt";
inline constexpr char kRsaKey[] = "rsa.key";
inline constexpr char kEcCertificate[] = "ec.crt";
inline constexpr char kEcKey[] = "ec.key";

// What a project's members see of its folder: the path where Run:ai labs mount their storage.
inline constexpr char kSeenOuter[] = "mnt";
inline constexpr char kSeenInner[] = "nfs";

// Ids of the machine from kFirstId on are 0, 1, … in the cage. No account has them, and they lie
// below those of containers. 0 keeps the cage, kDaemon talks to strangers before they have signed
// in, and each project has one from kFirstProject on. The group kReader is the server's alone: it
// reads what was uploaded.
inline constexpr std::uint32_t kFirstId = 0x6fff'0000;
inline constexpr std::uint32_t kIds = 3000;
inline constexpr std::uint32_t kDaemon = 1;
inline constexpr std::uint32_t kFirstProject = 1000;
inline constexpr std::uint32_t kMostProjects = 1999;
inline constexpr std::uint32_t kReader = kIds - 1;

}  // namespace yard::app::ftps
