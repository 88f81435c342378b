#include "wire/schemas/blocks.h"

namespace yard::wire::schemas {

const std::string_view kIam = R"(
TokenRequest
  grantType*    app_token|client_credentials|refresh_token|password
  appID         string?
  appSecret     string?
  clientID      string?
  clientSecret  string?
  username      string?
  password      text?
  refreshToken  string?
TokenResponse
  accessToken*   string
  idToken        string
  refreshToken   string
  externalToken  string
ToolLinkRequest
  path*  string(1..4000)
ToolLink
  url*  string
OauthToken
  access_token*  string
  token_type*    string
  expires_in     int
  refresh_token  string
UserDraft
  email*         email
  resetPassword  bool?
  groups         [string(1..128)]?
  unixName       string(1..64)?
UserEdit
  groups         [string(1..128)]?
  unixName       string(..64)?
User
  id*         string
  username*   string
  createdBy*  string
  createdAt*  time?
  updatedAt*  time?
  lastLogin*  time?
  isLocal*    bool?
  groups      [string]?
  unixName    string
UserCreated
  id*            string
  username*      string
  tempPassword*  string
TempPassword
  tempPassword*  string
PasswordChange
  currentPassword*  text(..256)
  newPassword*      string(8..256)
Me
  id*                  string
  subjectType*         user|app|group
  username*            string
  groups*              [string]
  mustChangePassword*  bool
  hasFirstPassword     bool
  roles*               [MyRole]
MyRole
  roleId*     int
  roleName*   string
  scopeType*  system|tenant|cluster|department|project
  scopeId*    string
  scopeName*  string
PersonalTokenDraft
  name*       string(1..64)
  expiresAt   time?
  days        int(1..365)?
PersonalToken
  id*         uuid
  name*       string
  createdAt*  time
  expiresAt*  time
PersonalTokenCreated : PersonalToken
  token*      string
UsersToken : PersonalToken
  createdBy*  string
SingleSignOn
  enabled*   bool
  name       string
  loginUrl   string
  logoutUrl  string
LoginSession
  id*         uuid
  address*    string
  createdAt*  time
  usedAt*     time
  expiresAt*  time
  current*    bool
ApplicationDraft
  name*       string(2..128)
ApplicationEdit
  enabled*    bool
Application
  id*         string
  name*       string
  clientId*   string
  createdBy*  string
  createdAt*  time?
  updatedAt*  time?
  enabled*    bool
  tenantId    string
  lastLogin*  time?
ApplicationCreated
  id*         string
  name*       string
  clientId*   string
  secret*     string
Secret
  secret*     string
OwnApplication
  id*         string
  name*       string
  clientId*   string
  createdBy   string
  createdAt*  time?
  lastLogin*  time?
PermissionDraft
  resourceType*  string(1..64)
  actions*       [create|read|update|delete|sync]
  displayName    string
  groupId        organization|physical-resource|iam|dashboard|workload|workload-asset
Permission : PermissionDraft
  displayName*   string
  groupId*       organization|physical-resource|iam|dashboard|workload|workload-asset
RoleDraft
  name*         string(1..64)
  description   text(..250)?
  permissions*  [PermissionDraft]
Role
  id*           int
  name*         string
  description*  string
  permissions*  [Permission]
  createdAt*    time
  updatedAt*    time
  deletedAt     time?
  tenantId      int
  createdBy*    string
  predefined    bool
AccessRuleDraft
  subjectId*    string(1..256)
  subjectType*  user|app|group
  roleId*       int
  scopeId*      string(..64)
  scopeType*    system|tenant|cluster|department|project
  clusterId     uuid?
AccessRule : AccessRuleDraft
  id*           int
  roleName*     string
  scopeName*    string
  createdAt*    time
  updatedAt*    time
  deletedAt     time?
  tenantId      int
  createdBy*    string
  scopePath     string?
AccessRuleList
  totalRecords*    int
  displayRecords*  int
  accessRules*     [AccessRule]
PermittedScopesRequest
  resourceType*  string(1..64)
  action         create|read|update|delete?
PermittedScopes
  system       bool
  tenants      [string]
  tenant       string
  clusters     [string]
  departments  [string]
  projects     [string]
PermittedScopesActions
  create*  PermittedScopes
  read*    PermittedScopes
  update*  PermittedScopes
  delete*  PermittedScopes
AuditLog
  id*                uuid
  timestamp*         time
  tenant_id*         string
  subject*           string
  subject_type*      User|App
  source_ip*         string
  action*            create|update|delete|sign-in|sign-out|reset-password
  http_method*       GET|POST|PUT|PATCH|DELETE|CREATE
  url*               string
  entity_type*       string
  entity_name*       string
  entity_id*         string
  result*            Succeeded|Failed
  http_status_code*  int
  request_id         string
  reqeust_id*        string
  metadata*          map<string>
AuditLogPage
  logs*        int
  total        int
  next         int
  audit_logs*  [AuditLog]
)";

}  // namespace yard::wire::schemas
