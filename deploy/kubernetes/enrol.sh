#!/bin/sh
# Gives every GPU node that has not joined yet a join code of its own, in the Secret that the agents' init containers read. Codes work
# once and for a quarter of an hour; the Secret is removed at the end, whatever became of them.
# Usage: deploy/kubernetes/enrol.sh [NODE …]   without names: every node that the DaemonSet runs on
set -eu

kubectl=${KUBECTL:-kubectl}
agents=voice-studio-agents
ttl=900
fail() {
  echo "enrol: $*" >&2
  exit 1
}
ask() { # METHOD PATH BODY PROPERTY, asked on the studio's own loopback
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
  # shellcheck disable=SC2086 # names of nodes hold no blanks
  set -- $nodes
}
[ $# -gt 0 ] || fail 'no node has the label nvidia.com/gpu.present=true'

ask POST /workers/enabled '{"enabled": true}' running >/dev/null
for node in "$@"; do
  (umask 077 && ask POST /workers/enrollments "{\"label\": \"$node\", \"ttl_seconds\": $ttl}" token >"$codes/$node")
done
$kubectl create secret generic voice-studio-join-codes --namespace $agents --from-file="$codes"
# A pod that waits in back-off is made anew, so that it need not wait for the end of that.
$kubectl delete pods --namespace $agents --selector app.kubernetes.io/name=voice-studio-agent --field-selector status.phase=Pending
$kubectl rollout status daemonset/voice-studio-agent --namespace $agents --timeout "${ttl}s"
echo 'enrol: nothing is sent to a machine before you approve it, see GET /workers' >&2
