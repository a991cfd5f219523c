#!/bin/sh
# Entry of the agent's image.
#   run    lend; the machine must have joined before
#   join   read a join code and join with it; nothing happens when the machine has joined already
# The code comes from the file that VOICE_STUDIO_JOIN_CODE_FILE names, else from standard input. It works once, so nothing of it is kept.
set -eu

identity=${STUDIO_DATA_DIR:-/var/lib/voice-studio}/agent/identity.json
fail() {
  echo "voice-studio-agent: $*" >&2
  exit 1
}

case ${1:-run} in
  run)
    [ -f "$identity" ] || fail "this machine has not joined a studio yet; run this image once with 'join' and a code"
    exec node /opt/voice-studio/cli/main.ts agent
    ;;
  join)
    if [ -f "$identity" ]; then
      echo "voice-studio-agent: this machine has joined already" >&2
      exit 0
    fi
    file=${VOICE_STUDIO_JOIN_CODE_FILE:-}
    if [ -n "$file" ]; then
      [ -r "$file" ] || fail "$file cannot be read; it must hold a join code"
      code=$(cat "$file")
    else
      IFS= read -r code || [ -n "$code" ] || fail "no join code came on standard input"
    fi
    exec node /opt/voice-studio/cli/main.ts agent join "$code"
    ;;
  *)
    fail "there is no '$1' here, only run and join"
    ;;
esac
