#include "serve/auth/identity.h"

namespace yard::serve {

Session Identity::Issue(control::Claims claims, Time now) const {
  Session session;
  claims.issued_at = now;
  claims.kind = control::TokenKind::kAccess;
  claims.expires_at = now + control::kAccessLifetime;
  session.access = control::IssueToken(key_, claims);
  claims.kind = control::TokenKind::kRefresh;
  claims.expires_at = now + control::kRefreshLifetime;
  session.refresh = control::IssueToken(key_, claims);
  return session;
}

Session Identity::Open(const User& user, Time now) const {
  return Issue({.type = SubjectType::kUser,
                .subject = user.id.value,
                .name = user.email,
                .epoch = user.session_epoch},
               now);
}

Session Identity::Open(const Application& app, Time now) const {
  return Issue({.type = SubjectType::kApp,
                .subject = app.id.value,
                .name = app.client_id,
                .epoch = app.session_epoch},
               now);
}

}  // namespace yard::serve
