#include "serve/auth/identity.h"

#include <algorithm>

namespace yard::serve {
namespace {

control::Claims ClaimsOf(const User& user) {
  return {.type = SubjectType::kUser,
          .subject = user.id.value,
          .name = user.email,
          .epoch = user.session_epoch};
}

control::Claims ClaimsOf(const Application& app) {
  return {.type = SubjectType::kApp,
          .subject = app.id.value,
          .name = app.client_id,
          .epoch = app.session_epoch};
}

}  // namespace

Session Identity::Issue(control::Claims claims, const LoginSession& session, Time now) const {
  claims.session = session.id;
  claims.generation = session.generation;
  claims.issued_at = now;
  claims.kind = control::TokenKind::kAccess;
  claims.expires_at = std::min(now + control::kAccessLifetime, session.expires_at);
  std::string access = control::IssueToken(key_, claims);
  claims.kind = control::TokenKind::kRefresh;
  claims.expires_at = std::min(now + control::kRefreshLifetime, session.expires_at);
  return {std::move(access), control::IssueToken(key_, claims)};
}

Session Identity::IssueAlone(control::Claims claims, Time now) const {
  claims.issued_at = now;
  claims.expires_at = now + control::kAccessLifetime;
  return {control::IssueToken(key_, claims), ""};
}

Session Identity::Open(const User& user, const LoginSession& session, Time now) const {
  return Issue(ClaimsOf(user), session, now);
}

Session Identity::Open(const Application& app, const LoginSession& session, Time now) const {
  return Issue(ClaimsOf(app), session, now);
}

Session Identity::OpenUnrecorded(const User& user, Time now) const {
  return IssueAlone(ClaimsOf(user), now);
}

Session Identity::OpenUnrecorded(const Application& app, Time now) const {
  return IssueAlone(ClaimsOf(app), now);
}

}  // namespace yard::serve
