// Opens the engine with planted files.
import { ALIGNMENT_MODEL, fasterWhisper, whisperX } from '#agent/engine/asr/whisper/engine.ts'
import { openSpeechFinder, type SpeechFinder } from '#agent/engine/asr/whisper/speech.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { Files } from '#test/agent/engine/runtimes/transformers/planted.ts'

type OpenFinder = () => Promise<SpeechFinder>
/** A voice detector that finds speech in the whole recording, noise included, and no voice that needs words. */
export const everywhere: OpenFinder = async () => ({
  // biome-ignore lint/correctness/useYield: it is finished at once
  async *find(samples) {
    return { stretches: [{ start: 0, end: samples.length / 16_000 }], voice: [] }
  },
  close: async () => {},
})
type Spans = readonly (readonly [number, number])[]
const stretches = (spans: Spans) => spans.map(([start, end]) => ({ start, end }))
/** A voice detector that finds these stretches, and a voice in all of them unless `voice` is given. */
export const speechAt =
  (found: Spans, voice: Spans = found): OpenFinder =>
  async () => ({
    // biome-ignore lint/correctness/useYield: it is finished at once
    async *find() {
      return { stretches: stretches(found), voice: stretches(voice) }
    },
    close: async () => {},
  })
/** The real voice detector. */
export const inSpeech: OpenFinder = () => openSpeechFinder(openGraph)

export const whisper = (files: Files, id = 'faster-whisper', letters: Files | null = null, finder = everywhere) =>
  (id === 'whisperx' ? whisperX : fasterWhisper).create(
    {
      filesOf: (engine, name) =>
        engine === 'faster-whisper' && name === 'tiny' ? files : engine === 'whisperx' && name === ALIGNMENT_MODEL ? letters : null,
    },
    undefined,
    finder,
  )
