// Recognition by somebody else's server that speaks the well-known API. It exists only where a person has configured one, because the
// recording leaves this machine.

import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { assembleEngine, type EngineDefinition, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type Engine, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Endpoint, readEndpoint } from '#shared/sidecar/endpoint.ts'
import { WhisperParams } from '../whisper/engine.ts'
import { transcribe } from './endpoint.ts'

const ID = 'openai-compat-asr'
const RATE = 16_000
/** What such servers take at most is 25 MB; a piece of ten minutes has 19. */
const PIECE_SECONDS = 600

/** `read`: the endpoint as it is named now, null for none. */
/** The endpoint that the owner of the machine has configured in `folder`. */
export const openAiEndpoint = (folder: string): EngineDefinition => ({
  id: ID,
  group: 'endpoint',
  maxBlockSeconds: 10,
  isReloaded: true,
  create: () => createCompat(() => readEndpoint(folder)),
})

export const createCompat = (read: () => Endpoint | null): Engine => assembleEngine(ID, partsFor(read))

function partsFor(read: () => Endpoint | null): EngineParts {
  async function* run(wanted: WhisperParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const endpoint = read()
    if (endpoint === null) throw new Failure('MODEL_NOT_INSTALLED', `${ID}: ${UNNAMED}`)
    if (wanted.task === 'translate') throw new Failure('INVALID_TASK_PARAMS', 'task: this endpoint transcribes only')
    const { samples, seconds } = await readAudioAt(RATE, inputs, signal)
    const segments: { start: number; end: number; text: string; words?: { start: number; end: number; word: string }[] }[] = []
    const texts: string[] = []
    let language = wanted.language
    for (let from = 0; from < seconds; from += PIECE_SECONDS) {
      const piece = samples.subarray(from * RATE, (from + PIECE_SECONDS) * RATE)
      const length = piece.length / RATE
      const wav = Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: piece.length }), toS16(piece)])
      const heard = await transcribe(endpoint, {
        wav,
        language: wanted.language,
        words: wanted.words || wanted.timestamps === 'word',
        signal,
      })
      const at = (time: number) => from + Math.min(time, length)
      const words = heard.words?.map(({ word, start, end }) => ({ word, start: at(start), end: at(Math.max(start, end)) }))
      // A server that gives no segments has said it all in one.
      const said = heard.segments?.length ? heard.segments : heard.text.trim() === '' ? [] : [{ start: 0, end: length, text: heard.text }]
      for (const [index, one] of said.entries()) {
        const [start, end] = [at(one.start), at(Math.max(one.start, one.end))]
        const until = index === said.length - 1 ? Number.POSITIVE_INFINITY : at(said[index + 1]!.start)
        const own = words?.filter((word) => (index === 0 || word.start >= start) && word.start < until)
        segments.push({ start, end, text: one.text.trim(), ...(own && { words: own }) })
      }
      texts.push(heard.text.trim())
      language ??= heard.language ?? null
      yield { kind: 'progress', progress: Math.min(1, (from + PIECE_SECONDS) / seconds), stage: 'recognising' }
    }
    const text = texts.filter((one) => one !== '').join(' ')
    yield { kind: 'result', result: { text, language: language ?? '', segments, duration: seconds } }
  }

  const nothing = async () => {}
  return {
    describe: () => [describe(read() !== null)],
    load: nothing,
    operations: { asr: withParams(WhisperParams, run) },
    unload: nothing,
  }
}

const UNNAMED = 'No endpoint is configured for it.'
const describe = (isNamed: boolean): Capability =>
  capability({
    engine: ID,
    operation: 'asr',
    implementation: ID,
    languages: ['*'],
    installed: isNamed,
    downloaded: isNamed,
    sampleRate: RATE,
    permits: 4,
    memoryBytes: 128 * 1024 ** 2,
    ...(!isNamed && { reason: UNNAMED }),
  })
