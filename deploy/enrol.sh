#!/bin/sh
# Starts the studio of compose.yaml and enrols its two agents. Each join code is piped from one program to the other and stored nowhere.
# Can be run again: agents that have already joined are skipped.
# Administrative routes accept requests only from the studio's own machine, so they are called from inside its container.
set -eu

cd "$(dirname -- "$(readlink -f -- "$0")")"
compose() { ${COMPOSE:-docker compose} -f compose.yaml "$@"; }
request() { # METHOD PATH BODY PROPERTY: prints one property of the response, or all of it without PROPERTY
  # shellcheck disable=SC2016 # the script is for node
  compose exec -T studio node -e '
    const [method, path, body, property] = process.argv.slice(1)
    const headers = { "content-type": "application/json" }
    const reply = await fetch(`http://127.0.0.1:3900${path}`, { method, ...(body && { headers, body }) })
    const answer = await reply.json()
    if (!reply.ok) throw new Error(JSON.stringify(answer))
    console.log(property ? answer[property] : JSON.stringify(answer, null, 1))' -- "$@"
}

if [ ! -f secrets/api-key ]; then
  mkdir -m 0700 -p secrets
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >secrets/api-key
  chmod 0444 secrets/api-key
  echo "enrol: Created deploy/secrets/api-key." >&2
fi

compose up --detach --wait studio
request POST /workers/enabled '{"enabled": true}' endpoint >/dev/null
for agent in agent-a agent-b; do
  # Codes are requested only for machines that have not joined, so that no unused code stays valid.
  if compose run --rm --no-deps -T --entrypoint test "$agent" -f /var/lib/voice-studio/agent/identity.json; then continue; fi
  request POST /workers/enrollments "{\"label\": \"$agent\", \"ttl_seconds\": 120}" token | compose run --rm --no-deps -T "$agent" join
done
compose up --detach agent-a agent-b

request GET /workers
cat >&2 <<'TEXT'
enrol: Nothing is sent to a machine before you approve it. To approve a machine, run with its id from the list above:
  docker compose -f deploy/compose.yaml exec studio node -e 'fetch("http://127.0.0.1:3900/workers/ID/consent", { method: "POST" }).then(async (reply) => console.log(await reply.text()))'
TEXT
