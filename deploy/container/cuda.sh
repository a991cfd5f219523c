#!/bin/sh
# Read by both entry points: the CUDA parts of the image appear in the data folder, where the program looks for its own, and engines find them first.
# Parts that were installed into the volume take precedence.
parts=/opt/voice-studio-cuda/gpu
own=${STUDIO_DATA_DIR:-/var/lib/voice-studio}/gpu
# An image without these parts was started with this volume.
if [ -L "$own" ] && [ ! -e "$own" ]; then rm -f "$own"; fi
if [ -d "$parts" ] && [ ! -e "$own" ]; then
  mkdir -p -m 0700 "${own%/gpu}"
  # The health check may start at the same moment; any other failure is printed.
  ln -sn "$parts" "$own" 2>/dev/null || [ -e "$own" ] || ln -sn "$parts" "$own"
fi
