# shellcheck shell=bash disable=SC2154  # http.sh sets status and body
# A client that hears no answer asks again: nothing may be made twice. Sourced by tests/scripts/run.

test_retries() {
  find_ground
  test_repeated_key
  test_repeated_key_at_once
  test_repeated_delete
}

projects_named() {
  request GET "/api/v1/org-unit/projects?filterBy=name%3D%3D$1"
  field '.projects | length'
}

test_repeated_key() {
  local first
  request POST /api/v1/org-unit/projects -H 'Idempotency-Key: k-1' -d "$(project_body again)"
  expect keyed-create "$status" 201
  first=$(field .id)
  request POST /api/v1/org-unit/projects -H 'Idempotency-Key: k-1' -d "$(project_body again)"
  expect keyed-create-again "$status $(field .id)" "201 $first"
  expect keyed-create-once "$(projects_named again)" 1
  request POST /api/v1/org-unit/projects -H 'Idempotency-Key: k-1' -d "$(project_body other)"
  refused key-for-another-request '4[0-9][0-9]' 'key'
  expect key-for-another-makes-nothing "$(projects_named other)" 0
}

test_repeated_key_at_once() {
  local i codes=$server_dir/codes
  rm -f "$codes".*
  local pids=()
  for i in 1 2 3 4 5 6 7 8; do
    curl -s -k -o /dev/null -w '%{http_code}\n' -X POST "$server_url/api/v1/org-unit/projects" \
      -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
      -H 'Idempotency-Key: k-2' -d "$(project_body together)" >"$codes.$i" &
    pids+=($!)
  done
  wait "${pids[@]}"
  expect keyed-creates-at-once "$(sort -u "$codes".*)" 201
  expect keyed-creates-at-once-make-one "$(projects_named together)" 1
}

test_repeated_delete() {
  local id
  request POST /api/v1/users -d '{"email":"short@lab.example.org"}'
  id=$(field .id)
  request DELETE "/api/v1/users/$id"
  expect delete "$status" 204
  request DELETE "/api/v1/users/$id"
  refused delete-again 404 "$id"
}
