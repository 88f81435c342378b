"""Users, applications, tokens, roles, access rules, permissions."""

from .session import current

EMAIL = "ada@lab.example.org"


def users(s):
    api = s.client.authentication_and_authorization.users
    request = s.model("UserCreationRequest1", {"email": EMAIL, "resetPassword": True})
    user = s.call("users.create", current(api, "create_user"), request, status=201)
    s.expect("users.name-is-the-address", user["username"], EMAIL)
    s.call("users.create-again", current(api, "create_user"), request, status=409)
    found = s.call("users.list", current(api, "get_users"), filter_by=[f"username=={EMAIL}"])
    s.expect("users.filter", [u["id"] for u in found], [user["id"]])
    everybody = s.call("users.list-sorted", current(api, "get_users"), sort_by="username",
                       sort_order="desc", limit=10, offset=0)
    names = [u["username"] for u in everybody]
    s.expect("users.sort", names, sorted(names, reverse=True))
    count = s.call("users.count", api.count_users)
    s.expect("users.count-is-right", count["count"], len(everybody))
    s.call("users.get", current(api, "get_user_by_id"), user["id"])
    fresh = s.call("users.reset-password", api.reset_user_password, user["id"])
    s.expect("users.new-password", fresh["tempPassword"] != user["tempPassword"], True)
    s.call("users.logout", api.logout_user, user["id"])
    s.call("users.delete", current(api, "delete_user_by_id"), user["id"], status=204)
    s.call("users.get-deleted", current(api, "get_user_by_id"), user["id"], status=404)


def applications(s):
    api = s.client.authentication_and_authorization.applications
    tokens = s.client.authentication_and_authorization.tokens
    request = s.model("ApplicationCreationRequest", {"name": "sweeper"})
    app = s.call("applications.create", current(api, "create_application"), request, status=201)
    s.call("applications.create-again", current(api, "create_application"), request, status=409)
    listed = s.call("applications.list", current(api, "get_applications"))
    s.expect("applications.listed", app["id"] in [a["id"] for a in listed], True)
    s.call("applications.get", current(api, "get_application_by_id"), app["id"])
    secret = s.call("applications.new-secret", api.regenerate_application_secret, app["id"])
    grant = {"grantType": "client_credentials", "clientID": app["clientId"]}
    s.call("tokens.client-credentials", tokens.grant_token, token_request=s.model(
        "TokenRequest", grant | {"clientSecret": secret["secret"]}))
    s.call("tokens.app-token", tokens.grant_token, token_request=s.model("TokenRequest", {
        "grantType": "app_token", "appID": app["clientId"], "appSecret": secret["secret"]}))
    disabled = s.model("ApplicationPatchRequest", {"enabled": False})
    s.call("applications.disable", current(api, "update_application_by_id"), app["id"], disabled)
    answer = s.call("applications.get-disabled", current(api, "get_application_by_id"), app["id"])
    s.expect("applications.is-disabled", answer["enabled"], False)
    s.call("applications.delete", current(api, "delete_application_by_id"), app["id"], status=204)
    s.call("applications.get-deleted", current(api, "get_application_by_id"), app["id"],
           status=404)


def get_roles(s):
    """The newest client calls them _v1."""
    api = s.client.authentication_and_authorization.roles
    return getattr(api, "get_roles", None) or api.get_roles_v1


def roles(s):
    api = s.client.authentication_and_authorization.roles
    listed = s.call("roles.list", get_roles(s))
    s.expect("roles.whole-numbers", {type(role["id"]) for role in listed}, {int})
    get_role = getattr(api, "get_role", None) or api.get_role_v1
    one = s.call("roles.get", get_role, listed[0]["id"])
    s.expect("roles.same", one["name"], listed[0]["name"])


def access_rules(s):
    api = s.client.authentication_and_authorization.access_rules
    users_api = s.client.authentication_and_authorization.users
    user = s.call("access-rules.user", current(users_api, "create_user"),
                  s.model("UserCreationRequest1", {"email": "grace@lab.example.org"}), status=201)
    role = s.call("access-rules.role", get_roles(s))[0]
    request = s.model("AccessRuleCreationFields", {
        "subjectId": "grace@lab.example.org", "subjectType": "user", "roleId": role["id"],
        "scopeType": "tenant", "scopeId": str(role["tenantId"])})
    rule = s.call("access-rules.create", api.create_access_rule, request, status=201)
    s.expect("access-rules.role-name", rule["roleName"], role["name"])
    listed = s.call("access-rules.list", api.get_access_rules, subject_type="user",
                    filter_by=["subjectId==grace@lab.example.org"], sort_by="createdAt",
                    sort_order="desc", limit=10, offset=0)
    s.expect("access-rules.filter", [r["id"] for r in listed["accessRules"]], [rule["id"]])
    count = s.call("access-rules.count", api.count_access_rules,
                   filter_by=["subjectId==grace@lab.example.org"])
    s.expect("access-rules.count-is-right", count["count"], 1)
    s.call("access-rules.get", api.get_access_rule, rule["id"])
    s.call("access-rules.delete", api.delete_access_rule, rule["id"], status=204)
    s.call("access-rules.get-deleted", api.get_access_rule, rule["id"], status=404)
    s.call("access-rules.user-gone", current(users_api, "delete_user_by_id"), user["id"],
           status=204)


def permissions(s):
    api = s.client.authentication_and_authorization.permissions
    mine = s.call("permissions.list", api.get_permissions)
    s.expect("permissions.projects", "create" in next(
        p["actions"] for p in mine if p["resourceType"] == "project"), True)
    scopes = s.call("permissions.scopes", api.get_permitted_scopes, s.model(
        "GetPermittedScopesRequest", {"resourceType": "project", "action": "create"}))
    s.expect("permissions.scopes-have-create", "create" in scopes, True)


def own_applications(s):
    """Applications of a user, walked by one of them: it acts as its user."""
    api = s.client.authentication_and_authorization.user_applications
    request = s.model("UserAppCreationRequest", {"name": "notebook"})
    app = s.call("own-applications.create", api.create_user_application, request, status=201)
    s.call("own-applications.create-again", api.create_user_application, request, status=409)
    listed = s.call("own-applications.list", api.get_user_applications)
    s.expect("own-applications.listed", app["id"] in [a["id"] for a in listed], True)
    s.call("own-applications.get", api.get_user_application_by_id, app["id"])
    s.call("own-applications.new-secret", api.regenerate_user_application_secret, app["id"])
    everyone = s.call("own-applications.of-everyone", api.get_user_applications_administration)
    s.expect("own-applications.listed-for-all", app["id"] in [a["id"] for a in everyone], True)
    s.call("own-applications.delete", api.delete_user_application_by_id, app["id"], status=204)
    s.call("own-applications.get-deleted", api.get_user_application_by_id, app["id"], status=404)


CHAPTERS = (users, applications, roles, access_rules, permissions)
