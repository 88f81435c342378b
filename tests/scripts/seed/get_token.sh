#!/usr/bin/env bash
# Prints an access token, or the word null when it is refused.
curl -s -k -X POST "$RUNAI_URL/api/v1/token" \
  -H 'Accept: */*' \
  -H 'Content-Type: application/json' \
  -d '{"grantType":"client_credentials","clientId":"'"$RUNAI_CLIENT_ID"'","clientSecret":"'"$RUNAI_CLIENT_SECRET"'"}' |
  jq -r '.accessToken'
