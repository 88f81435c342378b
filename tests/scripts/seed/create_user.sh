#!/usr/bin/env bash
# create_user.sh EMAIL PROJECT: a user who may work in one project.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1

if [ $# -ne 2 ] || ! [[ $1 =~ ^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$ ]]; then
  echo "usage: create_user.sh EMAIL PROJECT" >&2
  exit 1
fi
email=$1 project=$2
token=$(./get_token.sh)

call() {
  curl -s -k "$RUNAI_URL$1" -H "Authorization: Bearer $token" \
    -H 'Content-Type: application/json' "${@:2}"
}

user=$(call /api/v1/users -X POST -d '{"email":"'"$email"'"}')

project_id=$(call /api/v1/org-unit/projects -X GET |
  jq -r --arg project_name "$project" '.projects[] | select(.name==$project_name) | .id')
if [ -z "$project_id" ]; then
  echo "project $project not found" >&2
  exit 1
fi

roles=$(call /api/v1/authorization/roles -X GET)
for role in 'L2 researcher' 'Environment administrator' 'Template administrator'; do
  role_id=$(jq -r ".[] | select(.name==\"$role\") | .id" <<<"$roles")
  call /api/v1/authorization/access-rules -X POST -d '{"subjectId":"'"$email"'","subjectType":"user","roleId":'"$role_id"',"scopeId":"'"$project_id"'","scopeType":"project"}'
done
echo

echo "Username: $(jq -r '.username' <<<"$user")"
echo "Temporary password: $(jq -r '.tempPassword' <<<"$user")"
