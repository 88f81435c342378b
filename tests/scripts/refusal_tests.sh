# shellcheck shell=bash disable=SC2154  # http.sh sets status and body
# Bad input over the wire: each refusal says what is wrong and where. Sourced by tests/scripts/run.

test_refusals() {
  find_ground
  test_bad_paths
  test_bad_bodies
  test_bad_fields
  test_bad_queries
  test_limits
  test_bad_tokens
}

test_bad_paths() {
  request GET /api/v1/nothing-here
  refused unknown-path 404 /api/v1/nothing-here
  request DELETE /api/v1/users
  refused wrong-method 405 'GET'
  expect wrong-method-allows "$(grep -ciE '^allow:.*GET' "$server_dir/headers")" 1
  request GET /api/v1/org-unit/projects/999999
  refused unknown-project 404 999999
  request GET /api/v1/org-unit/projects/not-a-number
  refused project-that-cannot-be 404 not-a-number
  request GET /api/v1/asset/compute/00000000-0000-4000-8000-000000000000
  refused unknown-asset 404 00000000-0000-4000-8000-000000000000
}

test_bad_bodies() {
  request POST /api/v1/users -d $'{\n  "email": "x@lab.example.org",,\n}'
  refused broken-json 400 'line 2.*column 32'
  request POST /api/v1/users -d '{"email": "x@lab.example.org"'
  refused unfinished-json 400 'line 1.*column'
  request POST /api/v1/users -d ''
  refused no-body 400 '.'
  request POST /api/v1/users -d '["x@lab.example.org"]'
  refused list-for-an-object 400 object
  request POST /api/v1/users --data-binary $'{"email": "\xff\xfe@lab.example.org"}'
  refused not-utf8 400 '.'
  printf '[%.0s' $(seq 1 5000) >"$server_dir/deep"
  request POST /api/v1/users --data-binary "@$server_dir/deep"
  refused deep-nesting 400 '.'
}

# create_project NAME CHANGE: asks for a project whose body was changed by a jq filter.
create_project() {
  request POST /api/v1/org-unit/projects -d "$(project_body "$1" | jq -c "$2")"
}

test_bad_fields() {
  local projects
  request GET /api/v1/org-unit/projects/count
  projects=$(field .count)
  request POST /api/v1/users -d '{"resetPassword": true}'
  refused missing-field 400 email
  request POST /api/v1/users -d '{"email": "nobody"}'
  refused bad-address 400 email
  create_project wrong '.resources[0].gpu.deserved = "many"'
  refused wrong-type 400 'resources.*gpu.*deserved'
  create_project half '.resources += [{"gpu": {}}]'
  refused missing-inner-field 400 'resources.*1.*gpu.*deserved'
  create_project negative '.resources[0].gpu.deserved = -4'
  refused negative-quota 400 deserved
  create_project lost '.parentId = "999999"'
  refused unknown-parent '4[0-9][0-9]' '999999|parent'
  request POST /api/v1/authorization/access-rules \
    -d '{"subjectId":"ada@lab.example.org","subjectType":"robot","roleId":1,
         "scopeId":"1","scopeType":"project"}'
  refused unknown-choice 400 'subjectType'
  create_project team-60 .
  refused duplicate 409 team-60
  request GET /api/v1/org-unit/projects/count
  expect nothing-half-applied "$(field .count)" "$projects"
}

test_bad_queries() {
  request GET '/api/v1/org-unit/projects?limit=many'
  refused limit-not-a-number 400 limit
  request GET '/api/v1/org-unit/projects?limit=0'
  refused limit-too-small 400 limit
  request GET '/api/v1/org-unit/projects?filterBy=colour%3D%3Dred'
  refused filter-by-unknown-field 400 colour
  request GET '/api/v1/org-unit/projects?filterBy=name%3C%3E5'
  refused filter-without-operator 400 'filter|operator'
  request GET '/api/v1/org-unit/projects?sortBy=colour'
  refused sort-by-unknown-field 400 colour
  request GET '/api/v1/org-unit/projects?sortOrder=up'
  refused unknown-order 400 sortOrder
  request GET '/api/v1/org-unit/projects?filterBy=%zz'
  refused bad-percent-sign 400 '.'
}

test_limits() {
  head -c 9000000 /dev/zero | tr '\0' ' ' >"$server_dir/large"
  request POST /api/v1/users --data-binary "@$server_dir/large"
  refused body-over-the-limit 413 '.'
  request POST /api/v1/users -H 'Transfer-Encoding: chunked' --data-binary "@$server_dir/large"
  refused chunked-body-over-the-limit 413 '.'
  request GET /api/v1/users -H "X-Large: $(printf 'x%.0s' $(seq 1 60000))"
  expect header-over-the-limit "$status" 431
  request GET "/api/v1/users?search=$(printf 'x%.0s' $(seq 1 60000))"
  expect address-over-the-limit "${status/414/431}" 431
  request GET /api/v1/users
  expect serves-on-after-all-that "$status" 200
}

test_bad_tokens() {
  local good=$token
  token=''
  request GET /api/v1/users
  refused no-token 401 '.'
  token=nonsense
  request GET /api/v1/users
  refused no-jwt 401 '.'
  token=${good%.*}.$(tr 'A-Za-z' 'B-ZAb-za' <<<"${good##*.}")
  request GET /api/v1/users
  refused forged-token 401 '.'
  test_expired_token "$good"
  token=$good
  test_revoked_token
  token=$good
  request POST /api/v1/token \
    -d '{"grantType":"password","username":"admin@gpuyard.local","password":"wrong"}'
  refused wrong-password '40[013]' '.'
  request POST /api/v1/token -d '{"grantType":"wishes"}'
  refused unknown-grant 400 grantType
}

# Waiting for an hour is no test: the token is signed anew with the server's own key, once with
# the time it has and once with a time long gone.
test_expired_token() {
  local claims
  claims=$(cut -d. -f2 <<<"$1" | tr -- '-_' '+/')
  claims=$(base64 -d <<<"$claims===" 2>/dev/null)
  token=$(sign "$1" "$claims")
  request GET /api/v1/users
  expect token-signed-anew "$status" 200
  token=$(sign "$1" "$(jq -c '.iat = 1600000000 | .exp = 1600003600' <<<"$claims")")
  request GET /api/v1/users
  refused expired-token 401 expired
}

# sign TOKEN CLAIMS: a token with the header of TOKEN and these claims. A raw Ed25519 key becomes
# what openssl reads by sixteen bytes in front.
sign() {
  local work=$server_dir/signing text
  mkdir -p "$work"
  { printf '\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20' &&
    cat "$server_dir/data/keys/token.key"; } >"$work/key.der"
  text=${1%%.*}.$(printf %s "$2" | base64url)
  printf %s "$text" >"$work/text"
  echo "$text.$(openssl pkeyutl -sign -rawin -keyform DER -inkey "$work/key.der" \
    -in "$work/text" | base64url)"
}

base64url() { base64 -w0 | tr '+/' '-_' | tr -d =; }

# An application that is gone takes its tokens with it.
test_revoked_token() {
  local app
  request POST /api/v1/apps -d '{"name":"short-lived"}'
  app=$(field .id)
  request POST /api/v1/token -d "$(jq -c '{grantType: "client_credentials", clientID: .clientId,
    clientSecret: .secret}' <<<"$body")"
  local borrowed
  borrowed=$(field .accessToken)
  request DELETE "/api/v1/apps/$app"
  token=$borrowed
  request GET /api/v1/authorization/permissions
  refused revoked-token 401 '.'
}
