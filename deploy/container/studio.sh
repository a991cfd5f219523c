#!/bin/sh
# Entry point of the control plane image: reads the API key from the file where orchestrators put secrets, then runs the commands of
# ./studio. ./studio itself would install packages, which the image already contains and a read-only image could not write.
set -eu

file=${VOICE_STUDIO_API_KEY_FILE:-}
if [ -n "$file" ]; then
  [ -r "$file" ] || {
    echo "voice-studio: $file cannot be read. It must contain the API key." >&2
    exit 1
  }
  STUDIO_API_KEY=$(cat "$file")
  export STUDIO_API_KEY
fi

# The flags and the settings of glibc are those of ./studio.
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
exec node --max-semi-space-size=8 --heap-growing-percent=40 /opt/voice-studio/cli/main.ts "$@"
