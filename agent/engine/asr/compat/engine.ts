// Recognition by an OpenAI-compatible server. Available only where the owner of the machine has configured an endpoint, because recordings
// leave this machine.

import { WhisperParams } from '#agent/engine/asr/whisper/engine.ts'
import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { assembleEngine, type EngineDefinition, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type Engine, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import type { AsrSegment } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Endpoint, readEndpoint } from '#shared/sidecar/endpoint.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { codeOfLanguage, type SegmentReply, transcribe } from './endpoint.ts'

const ID = 'openai-compat-asr'
const SAMPLE_RATE = 16_000
/** Such servers accept up to 25 MB; ten minutes have 19 MB. */
const PIECE_SECONDS = 600

/** `read` returns the configured endpoint; null for none. */
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
  async function* run(params: WhisperParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const endpoint = read()
    if (endpoint === null) throw new Failure('MODEL_NOT_INSTALLED', NOT_CONFIGURED)
    if (params.task === 'translate') throw new Failure('INVALID_TASK_PARAMS', 'task: This endpoint only transcribes.')
    const { samples, seconds } = await readAudioAt(SAMPLE_RATE, inputs, signal)
    const segments: AsrSegment[] = []
    const texts: string[] = []
    let language = params.language
    for (let from = 0; from < seconds; from += PIECE_SECONDS) {
      const piece = samples.subarray(from * SAMPLE_RATE, (from + PIECE_SECONDS) * SAMPLE_RATE)
      const length = piece.length / SAMPLE_RATE
      const wav = Buffer.concat([wavHeader({ sampleRate: SAMPLE_RATE, channels: 1, samples: piece.length }), toS16(piece)])
      const transcription = await transcribe(endpoint, {
        wav,
        language: params.language,
        words: params.words || params.timestamps === 'word',
        signal,
      })
      const at = (time: number) => from + Math.min(time, length)
      const words = transcription.words?.map(({ word, start, end }) => ({ word, start: at(start), end: at(Math.max(start, end)) }))
      // Without segments, the whole text is one segment.
      const parts: readonly SegmentReply[] = transcription.segments?.length
        ? transcription.segments
        : transcription.text.trim() === ''
          ? []
          : [{ start: 0, end: length, text: transcription.text }]
      for (const [index, one] of parts.entries()) {
        const [start, end] = [at(one.start), at(Math.max(one.start, one.end))]
        const until = index === parts.length - 1 ? Number.POSITIVE_INFINITY : at(parts[index + 1]!.start)
        const segmentWords = words?.filter((word) => (index === 0 || word.start >= start) && word.start < until)
        const { start: _start, end: _end, text, ...decoding } = one
        const hasFigures = Object.keys(decoding).length > 0
        segments.push({ start, end, text: text.trim(), ...(hasFigures && { decoding }), ...(segmentWords && { words: segmentWords }) })
      }
      texts.push(transcription.text.trim())
      language ??= transcription.language ? codeOfLanguage(transcription.language) : null
      yield { kind: 'progress', progress: Math.min(1, (from + PIECE_SECONDS) / seconds), stage: 'recognising' }
    }
    const text = joinPieces(texts)
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

const NOT_CONFIGURED = 'No recognition endpoint is configured. Name one in the settings.'
const describe = (isConfigured: boolean): Capability =>
  capability({
    engine: ID,
    operation: 'asr',
    implementation: ID,
    languages: ['*'],
    installed: isConfigured,
    downloaded: isConfigured,
    sampleRate: SAMPLE_RATE,
    permits: 4,
    memoryBytes: 128 * 1024 ** 2,
    ...(!isConfigured && { reason: NOT_CONFIGURED }),
  })
