#!/bin/sh
# Entry of the control plane's image: takes the API key out of a file, where orchestrators put secrets, and hands over to the commands
# that ./studio has. ./studio itself would fetch packages, which an image has and a read-only one could not take.
set -eu

file=${VOICE_STUDIO_API_KEY_FILE:-}
if [ -n "$file" ]; then
  [ -r "$file" ] || {
    echo "voice-studio: $file cannot be read; it must hold the API key" >&2
    exit 1
  }
  STUDIO_API_KEY=$(cat "$file")
  export STUDIO_API_KEY
fi

exec node /opt/voice-studio/cli/main.ts "$@"
