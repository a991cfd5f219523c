// Opens the engine with planted files.
import { ALIGNMENT_MODEL, fasterWhisper, whisperX } from '#agent/engine/engines/asr/whisper/engine.ts'
import { openSpeechFinder, type SpeechFinder } from '#agent/engine/engines/asr/whisper/speech.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { Files } from '#test/agent/engine/runtimes/transformers/planted.ts'

type OpenFinder = () => Promise<SpeechFinder>
/** A voice detector that finds speech in the whole recording, noise included. */
export const everywhere: OpenFinder = async () => ({
  // biome-ignore lint/correctness/useYield: it is finished at once
  async *find(samples) {
    return [{ start: 0, end: samples.length / 16_000 }]
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
