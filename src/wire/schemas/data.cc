#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

// Versions and chunks are named by 64 hexadecimal digits.
const std::string_view kData = R"(
DataSetTag
  tag*      string
  version*  string
  movedAt*  time
DataSetVersion
  version*    string
  files*      int
  bytes*      int
  createdAt*  time
  createdBy*  string
  origin      string
DataSet
  name*      string
  tags*      [DataSetTag]
  versions*  [DataSetVersion]
DataSetList
  dataSets*     [DataSet]
  storedBytes*  int
DataSetManifest : DataSetVersion
  name*      string
  manifest*  [string]
DataSetDraft
  name*      string(1..63)
  tag        string(1..63)
  push       string(1..64)
  manifest*  [string]
DataSetCommitted
  missing*  [string]
  tag       string
  version   DataSetManifest
OutputFile
  path*        string
  type*        file|folder|link|other
  bytes*       int
  modifiedAt*  time
OutputList
  files*      [OutputFile]
  truncated*  bool
DataSetRemoved
  versions*    int
  freedBytes*  int
FtpsLogin
  login*      string
  user*       string
  createdAt*  time
FtpsLoginList
  logins*       [FtpsLogin]
  host*         string
  port*         int
  certificate*  string
FtpsPassword : FtpsLogin
  password*     string
  host*         string
  port*         int
  certificate*  string
FtpsTakeDraft
  name*    string(1..63)
  tag      string(1..63)
  folder*  string(0..4095)
FtpsTake
  takeId*  string
  state*   waiting|reading|done|failed
  bytes*   int
  tag*     string
  problem  string
  name     string
  version  string
  files    int
  skipped  int
)";

}  // namespace yard::wire::schemas
