# shellcheck shell=bash disable=SC2154  # http.sh sets status and body
# An administrator's scripts, as they were written for Run:ai. Sourced by tests/scripts/run.

test_seed_scripts() {
  find_ground
  test_token_script
  test_last_of_sixty_projects
  test_user_script
  test_compute_script
}

test_token_script() {
  local script=$here/seed/get_token.sh got
  got=$("$script")
  expect get-token-is-a-jwt "$(grep -cE '^([A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]+$' <<<"$got")" 1
  got=$(RUNAI_CLIENT_SECRET=wrong "$script")
  expect get-token-refused-prints-null "$got" null
}

test_last_of_sixty_projects() {
  local i made=0
  for i in $(seq -w 1 60); do
    request POST /api/v1/org-unit/projects -d "$(project_body "team-$i")"
    [[ $status != 201 ]] || made=$((made + 1))
  done
  expect sixty-projects "$made" 60
  request GET /api/v1/org-unit/projects
  expect sixty-projects-in-one-answer \
    "$(field '[.projects[] | select(.name | startswith("team-"))] | length')" 60
}

test_user_script() {
  local script=$here/seed/create_user.sh out code
  out=$("$script" ada@lab.example.org team-60 2>&1)
  code=$?
  expect create-user-succeeds "$code" 0
  expect create-user-finds-the-last-project "$(grep -c 'not found' <<<"$out")" 0
  expect create-user-names-the-user "$(sed -n 's/^Username: //p' <<<"$out")" ada@lab.example.org
  expect create-user-shows-a-password \
    "$(sed -n 's/^Temporary password: //p' <<<"$out" | grep -cvx null)" 1
  judge_roles create-user-three-roles
  test_user_script_again
  "$script" not-an-address team-60 >/dev/null 2>&1
  expect create-user-refuses-a-bad-address $? 1
  "$script" bob@lab.example.org nowhere >/dev/null 2>&1
  expect create-user-refuses-an-unknown-project $? 1
}

# The user is there already: the script goes on, prints null and leaves the three rules as they are.
test_user_script_again() {
  local out code
  out=$("$here/seed/create_user.sh" ada@lab.example.org team-60 2>&1)
  code=$?
  expect create-user-again-goes-on "$code" 0
  expect create-user-again-prints-null "$(sed -n 's/^Username: //p' <<<"$out")" null
  judge_roles create-user-again-three-roles
}

judge_roles() {
  request GET '/api/v1/authorization/access-rules?filterBy=subjectId%3D%3Dada@lab.example.org'
  expect "$1" "$(field '[.accessRules[].roleName] | unique | join(", ")')" \
    'Environment administrator, L2 researcher, Template administrator'
  expect "$1-once" "$(field '.accessRules | length')" 3
}

test_compute_script() {
  local code
  "$here/seed/create_compute.sh" >/dev/null
  code=$?
  expect create-compute-succeeds "$code" 0
  judge_compute create-compute
  "$here/seed/create_compute.sh" >/dev/null
  code=$?
  expect create-compute-again-is-silent "$code" 0
  judge_compute create-compute-again
}

judge_compute() {
  request GET /api/v1/asset/compute
  expect "$1-nine" "$(field '[.entries[].meta.name] | sort | join(" ")')" \
    'gpu0 gpu1 gpu2 gpu3 gpu4 gpu5 gpu6 gpu7 gpu8'
  expect "$1-counts" \
    "$(field '[.entries | sort_by(.meta.name)[].spec.gpuDevicesRequest] | join(" ")')" '0 1 2 3 4 5 6 7 8'
  expect "$1-portion" \
    "$(field '.entries[] | select(.meta.name == "gpu1") | .spec.gpuPortionRequest == 1')" true
}
