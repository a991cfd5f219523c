// The room of a file, as far as the form of its imports is concerned.

/** Folders whose subfolders are rooms; the deepest that fits counts. */
const WITH_ROOMS = [
  'agent',
  'agent/engine',
  'agent/engine/asr',
  'agent/engine/denoise',
  'agent/engine/diarize',
  'agent/engine/identify',
  'agent/engine/separate',
  'agent/engine/translate',
  'agent/engine/tts',
  'agent/engine/vad',
  'agent/engine/runtimes',
  'cli',
  'control-plane',
  'control-plane/features',
  'control-plane/features/base',
  'control-plane/features/machines',
  'control-plane/features/listening',
  'control-plane/features/voices',
  'control-plane/features/speech',
  'control-plane/features/dubbing',
  'control-plane/features/operate',
  'shared',
  'tools',
]

/** The folder of the room; a file that lies directly in a folder of rooms belongs to that folder. */
export function roomOf(path: string): string {
  const parts = path.split('/').slice(0, -1)
  let depth = 1
  while (depth < parts.length && WITH_ROOMS.includes(parts.slice(0, depth).join('/'))) depth++
  return parts.slice(0, depth).join('/')
}
