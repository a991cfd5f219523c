#!/bin/sh
# Entry point of the agent image.
#   run    lend; the machine must have joined before
#   join   read a join code and join with it; does nothing if the machine has already joined
# The code is read from the file VOICE_STUDIO_JOIN_CODE_FILE, else from standard input. It works once and is not stored.
set -eu

identity=${STUDIO_DATA_DIR:-/var/lib/voice-studio}/agent/identity.json
fail() {
  echo "voice-studio-agent: $*" >&2
  exit 1
}

case ${1:-run} in
  run)
    [ -f "$identity" ] || fail "This machine has not joined a studio. Run this image once with 'join' and a join code."
    # The flags and the settings of glibc are those of ./studio.
    export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
    exec node --max-semi-space-size=8 --heap-growing-percent=40 /opt/voice-studio/cli/main.ts agent
    ;;
  join)
    if [ -f "$identity" ]; then
      echo "voice-studio-agent: This machine has already joined." >&2
      exit 0
    fi
    file=${VOICE_STUDIO_JOIN_CODE_FILE:-}
    if [ -n "$file" ]; then
      [ -r "$file" ] || fail "$file cannot be read. It must contain a join code."
      code=$(cat "$file")
    else
      IFS= read -r code || [ -n "$code" ] || fail "No join code was found on standard input."
    fi
    # Not as an argument, which other processes could read.
    printf '%s\n' "$code" | node /opt/voice-studio/cli/main.ts agent join - --no-service
    ;;
  *)
    fail "Unknown command '$1'. Use run or join."
    ;;
esac
