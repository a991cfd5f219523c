// Programs of others that run the installed model of an engine, and the files that they need.
import { filesIn } from '#agent/models/manifest.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import type { PeerProgram } from './python-peer.ts'

export type PeerSetup =
  | { readonly program: PeerProgram; readonly options: object }
  | { readonly program: PeerProgram; readonly skip: string }

/** The model of faster-whisper: a folder, or the name of one in its cache. There is no other file that both programs read. */
const FASTER_WHISPER = process.env['STUDIO_BENCH_FASTER_WHISPER']

/** The files of the first installed model of an engine, in the order of the catalogue; null when there is none. */
function installedModel(folder: string, engine: string): ReadonlyMap<string, string> | null {
  for (const { engine: of, model } of CATALOGUE) {
    const files = of === engine ? filesIn(folder)(engine, model) : null
    if (files) return files
  }
  return null
}

/** `folder`: of the models; `voice`: of our engine; `scratch`: a folder for the peer. */
export function peersOf(engine: string, folder: string, voice: string, scratch: string): readonly PeerSetup[] {
  const files = installedModel(folder, engine)
  if (engine === 'kokoro' && files) {
    const graph = [...files].find(([path]) => path.endsWith('.onnx'))?.[1]
    const voices = Object.fromEntries([...files].flatMap(([path, at]) => (path.startsWith('voices/') ? [[path.slice(7, -4), at]] : [])))
    return (['kokoro-onnx', 'fastkokoro'] as const).map((program) => ({ program, options: { graph, voices, voice, scratch } }))
  }
  if (engine === 'piper' && files)
    return [{ program: 'piper-tts', options: { graph: [...files].find(([path]) => path.endsWith('.onnx'))?.[1] } }]
  if (engine === 'faster-whisper') {
    if (!FASTER_WHISPER) return [{ program: 'faster-whisper', skip: 'STUDIO_BENCH_FASTER_WHISPER names no model' }]
    return [{ program: 'faster-whisper', options: { model: FASTER_WHISPER } }]
  }
  return []
}
