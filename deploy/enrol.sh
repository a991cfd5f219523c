#!/bin/sh
# Starts the studio of compose.yaml and brings its two agents in, each with a join code of its own that goes from one program to the other
# and is written nowhere. May be run again: an agent that has joined already stays what it is.
# The routes of this kind answer the studio's own machine only, which is why they are asked from inside its container.
set -eu

cd "$(dirname -- "$(readlink -f -- "$0")")"
compose() { ${COMPOSE:-docker compose} -f compose.yaml "$@"; }
ask() { # METHOD PATH BODY PROPERTY: prints one property of the answer, all of it without PROPERTY
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
  echo "enrol: made deploy/secrets/api-key" >&2
fi

compose up --detach --wait studio
ask POST /workers/enabled '{"enabled": true}' endpoint >/dev/null
for agent in agent-a agent-b; do
  # Asked only for a machine that has not joined, so that no unused code stays good.
  if compose run --rm --no-deps -T --entrypoint test "$agent" -f /var/lib/voice-studio/agent/identity.json; then continue; fi
  ask POST /workers/enrollments "{\"label\": \"$agent\", \"ttl_seconds\": 120}" token | compose run --rm --no-deps -T "$agent" join
done
compose up --detach agent-a agent-b

ask GET /workers
cat >&2 <<'TEXT'
enrol: nothing is sent to a machine before you approve it. For each id above that you trust:
  docker compose -f deploy/compose.yaml exec studio node -e 'fetch("http://127.0.0.1:3900/workers/ID/consent", { method: "POST" }).then(async (reply) => console.log(await reply.text()))'
TEXT
