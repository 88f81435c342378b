#include "app/ftps/config.h"

#include <fmt/format.h>

#include "app/ftps/layout.h"

namespace yard::app::ftps {
namespace {

// The bounds of AuthUserFile hold whatever the server writes into that file. A session gives up the
// rights of id 0 for good (RootRevoke); links cannot be made (no SITE SYMLINK), and modes stay so
// that the server can read what was uploaded (no SITE CHMOD).
constexpr const char* kFixed = R"(LoadModule mod_tls.c
LoadModule mod_ctrls_admin.c
LoadModule mod_ban.c
ServerType standalone
ServerName Gpuyard
ServerIdent on "Gpuyard"
UseIPv6 off
UseReverseDNS off
User ftps
Group ftps
PidFile /run/pid
ScoreboardFile /run/scoreboard
DelayTable /run/delay
WtmpLog off
TransferLog none
AuthOrder mod_auth_file.c
RequireValidShell off
UseFtpUsers off
RootLogin off
RootRevoke on
DefaultRoot ~
Umask 027 027
AllowOverwrite on
AllowStoreRestart on
AllowRetrieveRestart on
PathDenyFilter "[[:cntrl:]]"
MaxInstances 128
MaxConnectionsPerHost 64
MaxLoginAttempts 3
TimeoutLogin 30
TimeoutIdle 900
TimeoutNoTransfer 900
TimeoutStalled 300
ControlsEngine on
ControlsSocket /run/ctrl
ControlsInterval 1
ControlsMaxClients 4
ControlsACLs all allow user root
ControlsSocketACL allow user root
AdminControlsEngine on
AdminControlsACLs all allow user root
BanEngine on
BanTable /run/ban
BanControlsACLs all allow user root
BanOnEvent MaxLoginAttempts 3/00:10:00 00:10:00 "Too many wrong passwords: try again in ten minutes"
TLSEngine on
TLSRequired on
TLSProtocol TLSv1.2 TLSv1.3
<Limit SITE_CHMOD SITE_CHGRP SITE_SYMLINK>
  DenyAll
</Limit>
)";

}  // namespace

std::string ConfigOf(const Listening& listening, KeyKind key) {
  const bool rsa = key == KeyKind::kRsa;
  const bool every = listening.host == "0.0.0.0";
  return fmt::format(
      "{}DefaultAddress {}\nSocketBindTight {}\nPort {}\nPassivePorts {} {}\n"
      "AuthUserFile /{}/{} id {}-{} home ^/{}/[0-9]+$\nDefaultChdir /{}/{}\n"
      "TLS{}CertificateFile /{}/{}\nTLS{}CertificateKeyFile /{}/{}\n",
      kFixed, every ? "127.0.0.1" : listening.host, every ? "off" : "on", listening.port,
      listening.passive_first, listening.passive_last, kUsersFolder, kUsersFile, kFirstProject,
      kFirstProject + kMostProjects - 1, kFilesFolder, kSeenOuter, kSeenInner, rsa ? "RSA" : "EC",
      kUsersFolder, rsa ? kRsaCertificate : kEcCertificate, rsa ? "RSA" : "EC", kUsersFolder,
      rsa ? kRsaKey : kEcKey);
}

}  // namespace yard::app::ftps
