#!/bin/sh
# Creates a join code for each GPU node, in the Secret that the agents' init containers read. Codes work once and expire after 15 minutes.
# The Secret is deleted at the end, also after a failure.
# Usage: deploy/kubernetes/enrol.sh [NODE …]   default: every node that the DaemonSet runs on
set -eu

kubectl=${KUBECTL:-kubectl}
agents=voice-studio-agents
ttl=900
fail() {
  echo "enrol: $*" >&2
  exit 1
}
request() { # METHOD PATH BODY PROPERTY, sent on the loopback interface of the studio's pod
  # shellcheck disable=SC2016 # the script is for node
  $kubectl exec --namespace voice-studio voice-studio-0 -- node -e '
    const [method, path, body, property] = process.argv.slice(1)
    const reply = await fetch(`http://127.0.0.1:3900${path}`, { method, headers: { "content-type": "application/json" }, body })
    const answer = await reply.json()
    if (!reply.ok) throw new Error(JSON.stringify(answer))
    console.log(answer[property])' -- "$@"
}

codes=$(mktemp -d)
trap 'rm -rf "$codes"; $kubectl delete secret voice-studio-join-codes --namespace $agents --ignore-not-found >/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

[ $# -gt 0 ] || {
  nodes=$($kubectl get nodes --selector nvidia.com/gpu.present=true --output 'jsonpath={.items[*].metadata.name}')
  # shellcheck disable=SC2086 # node names contain no spaces
  set -- $nodes
}
[ $# -gt 0 ] || fail 'No node has the label nvidia.com/gpu.present=true.'

request POST /workers/enabled '{"enabled": true}' running >/dev/null
for node in "$@"; do
  (umask 077 && request POST /workers/enrollments "{\"label\": \"$node\", \"ttl_seconds\": $ttl}" token >"$codes/$node")
done
$kubectl create secret generic voice-studio-join-codes --namespace $agents --from-file="$codes"
# Pods in back-off are recreated, so that they use their code at once.
$kubectl delete pods --namespace $agents --selector app.kubernetes.io/name=voice-studio-agent --field-selector status.phase=Pending
$kubectl rollout status daemonset/voice-studio-agent --namespace $agents --timeout "${ttl}s"
echo 'enrol: Nothing is sent to a machine before you approve it. See GET /workers.' >&2
