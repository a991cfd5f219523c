#!/bin/sh
# Entry point of the control plane image: reads the API key from the file where orchestrators put secrets, then runs the commands of voice-studio.
set -eu
. /usr/local/lib/voice-studio-cuda.sh

file=${VOICE_STUDIO_API_KEY_FILE:-}
if [ -n "$file" ]; then
  [ -r "$file" ] || {
    echo "voice-studio: $file cannot be read. It must contain the API key." >&2
    exit 1
  }
  STUDIO_API_KEY=$(cat "$file")
  export STUDIO_API_KEY
fi

exec /opt/voice-studio/bin/voice-studio "$@"
