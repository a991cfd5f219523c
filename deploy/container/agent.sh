#!/bin/sh
# Entry point of the agent image.
#   run    lend; the machine must have joined before
#   join   read a join code and join with it; does nothing if the machine has already joined
# Other words are those of voice-studio-agent. The code is read from the file VOICE_STUDIO_JOIN_CODE_FILE, else from standard input. It works once, is
# not stored, and is in no list of processes.
set -eu
. /usr/local/lib/voice-studio-cuda.sh

program=/opt/voice-studio/bin/voice-studio-agent
identity=${STUDIO_DATA_DIR:-/var/lib/voice-studio}/agent/identity.json
fail() {
  echo "voice-studio-agent: $*" >&2
  exit 1
}

case ${1:-run} in
  run)
    [ -f "$identity" ] || fail "This machine has not joined a studio. Run this image once with 'join' and a join code."
    exec "$program"
    ;;
  join)
    if [ -f "$identity" ]; then
      echo "voice-studio-agent: This machine has already joined." >&2
      exit 0
    fi
    file=${VOICE_STUDIO_JOIN_CODE_FILE:-}
    [ -n "$file" ] || exec "$program" join - --no-service
    [ -r "$file" ] || fail "$file cannot be read. It must contain a join code."
    exec "$program" join - --no-service <"$file"
    ;;
  *)
    exec "$program" "$@"
    ;;
esac
