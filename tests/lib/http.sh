# shellcheck shell=bash disable=SC2154  # server.sh sets server_url and admin_*
# Requests with curl and what is expected of their answers. Sourced by tests/*/run.

token='' status='' body=''

# request METHOD PATH [CURL ARGUMENTS...]: sets status and body; with no token it sends none.
request() {
  local method=$1 path=$2
  shift 2
  local output=$server_dir/answer who=()
  : >"$output"
  [[ -z $token ]] || who=(-H "Authorization: Bearer $token")
  status=$(curl -s -k -X "$method" -o "$output" -D "$server_dir/headers" -w '%{http_code}' \
    "${who[@]}" -H 'Content-Type: application/json' "$@" \
    "$server_url$path")
  body=$(tr -d '\0' <"$output")
}

# field FILTER: something of the last answer.
field() { jq -r "$1" <<<"$body" 2>/dev/null; }

# expect NAME ACTUAL WANTED
expect() {
  if [[ $2 == "$3" ]]; then
    ok "$1"
  else
    not_ok "$1" "expected '$3', got '$2'; the last answer was $status ${body:0:300}"
  fi
}

# refused NAME STATUS PATTERN: the last answer was this error and names what is wrong. Both are
# regular expressions. Each refusal has code, message and details.
refused() {
  local text
  text=$(field '"\(.message) \(.details)"')
  if [[ ! $status =~ ^$2$ ]]; then
    not_ok "$1" "expected $2, got $status ${body:0:300}"
  elif [[ $(field .code) != "$status" || -z $(field '.message // ""') ]]; then
    not_ok "$1" "no code and message in ${body:0:300}"
  elif ! grep -qiE -- "$3" <<<"$text"; then
    not_ok "$1" "nothing like /$3/ in ${body:0:300}"
  else
    ok "$1"
  fi
}

# An application with every right, as an administrator makes it; its token serves the tests.
sign_in() {
  request POST /api/v1/token -d "$(jq -n --arg user "$admin_user" --arg password "$admin_password" \
    '{grantType: "password", username: $user, password: $password}')"
  token=$(field .accessToken)
  if [[ $status != 200 || -z $token ]]; then
    not_ok sign-in "$status ${body:0:300}"
    return 1
  fi
  ok sign-in
  request GET /api/v1/authorization/roles
  local role
  role=$(field '.[] | select(.name == "System administrator") | .id')
  request POST /api/v1/apps -d '{"name":"scripts"}'
  export RUNAI_URL=$server_url RUNAI_CLIENT_ID RUNAI_CLIENT_SECRET
  RUNAI_CLIENT_ID=$(field .clientId)
  RUNAI_CLIENT_SECRET=$(field .secret)
  request POST /api/v1/authorization/access-rules -d "$(jq -n --arg id "$RUNAI_CLIENT_ID" \
    --argjson role "$role" '{subjectId: $id, subjectType: "app", roleId: $role,
                             scopeType: "tenant", scopeId: "1"}')"
  expect application-with-every-right "$status" 201
}

# project_body NAME: what creates a project in the first cluster, with one GPU of the first pool.
project_body() {
  jq -nc --arg name "$1" --arg cluster "$cluster" --arg pool "$pool" \
    '{name: $name, clusterId: $cluster,
      resources: [{nodePool: {id: $pool}, gpu: {deserved: 1, limit: -1, overQuotaWeight: 2}}]}'
}

# Sets cluster and pool, which every server has from the start.
find_ground() {
  request GET /api/v1/clusters
  cluster=$(field '.[0].uuid')
  request GET /api/v1/node-pools
  pool=$(field '.nodepools[0].id')
}
