// POST /v1/audio/speech: a task whose sound leaves while it is being made.
import { Failure } from '#shared/protocol/failure.ts'
import type { Bytes } from '../../http/route.ts'
import { headerText, type Synthesis } from '../../inference/synthesis.ts'
import type { Media } from '../../media/encode.ts'
import type { Piece } from '../../tasks/output.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import type { Provenance } from './provenance.ts'
import type { SpeechBody } from './speech.schema.ts'

type Deps = { readonly tasks: Tasks; readonly media: Media; readonly synthesis: Synthesis; readonly provenance: Provenance }
/** Names of a well-known public API; all of them mean the default voice here. */
export const ALIASES = ['alloy', 'echo', 'fable', 'nova', 'onyx', 'shimmer']

/** Null: the default voice of the engine. */
export const presetOf = (voice: string | null): string | null => (!voice || voice === 'default' || ALIASES.includes(voice) ? null : voice)

export function createSpeech({ tasks, media, synthesis, provenance }: Deps) {
  async function speak(body: SpeechBody, idempotencyKey: string | null, signal: AbortSignal, traceparent: string): Promise<Bytes> {
    const voice = presetOf(body.voice)
    const wish = {
      model: body.model,
      voice,
      segments: [{ text: body.input.normalize('NFC'), seed: seed32(body.seed), pause_after_ms: 0 }],
      parameters: engineParameters(body),
      idempotencyKey,
      ephemeral: idempotencyKey === null,
      traceparent,
    }
    const { record, pieces } = await synthesis.open(wish, signal)
    const { task, spec } = record
    // With a key the caller means to ask again; without one nobody else can ever want this sound.
    const hangUp = () => void (idempotencyKey === null && tasks.cancel(task.id))
    signal.addEventListener('abort', hangUp, { once: true })
    try {
      const { first, rest } = await begin(pieces)
      const offer = synthesis.offerFor(task.id, body.model)
      const encoded = await media.encode({
        format: body.response_format,
        sampleRate: synthesis.sampleRateOf(task.id),
        source: sound(first, rest),
        mark: provenance(spec),
        effects: null,
        master: true,
        signal,
      })
      return {
        headers: {
          'content-type': encoded.contentType,
          'content-disposition': `inline; filename="speech.${encoded.extension}"`,
          ...(encoded.contentLength !== null && { 'content-length': String(encoded.contentLength) }),
          ...synthesis.notice(offer, voice, encoded.standIn ? [encoded.standIn] : []),
        },
        body: encoded.body,
      }
    } catch (error) {
      hangUp()
      throw explain(error)
    }
  }
  return { speak }
}

/** The first bytes of a task, or the reason why there will be none. */
async function begin(pieces: AsyncGenerator<Piece>): Promise<{ first: Piece; rest: AsyncGenerator<Piece> }> {
  const first = await pieces.next()
  if (first.done) throw new Failure('WORKER_FAILED', 'the engine made no sound')
  return { first: first.value, rest: pieces }
}

async function* sound(first: Piece, rest: AsyncGenerator<Piece>): AsyncGenerator<Uint8Array> {
  try {
    yield first.bytes
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value.bytes
  } finally {
    await rest.return(undefined)
  }
}

/** What this route promises for each way a task can end badly. */
export function explain(error: unknown): Failure {
  const failure = Failure.from(error)
  // The engine refused what it was asked to say, or the language: the caller's to mend.
  if (failure.code === 'MODEL_NOT_DOWNLOADED') return new Failure('BAD_REQUEST', failure.message, { cause: failure })
  if (failure.code === 'PINNED_WORKER_EXHAUSTED' || failure.code === 'PINNED_WORKER_UNREACHABLE')
    return new Failure(failure.code, failure.message, {
      cause: failure,
      headers: { 'x-svc-routing': 'remote_failed', 'x-svc-routing-reason': headerText(failure.message), 'retry-after': '10' },
    })
  if (failure.code === 'TASK_DEADLINE_EXCEEDED') return new Failure('EXECUTION_TIMEOUT', failure.message, { cause: failure })
  return failure
}

/** Engines count seeds in 32 bits. */
export const seed32 = (seed: number | null): number | null => (seed === null ? null : Number(BigInt.asUintN(32, BigInt(seed))))

const engineParameters = (body: SpeechBody): Record<string, unknown> => ({
  language: body.language || null,
  speed: body.speed,
  instruct: body.instruct,
  description: body.description,
  duration: body.duration,
  num_step: body.num_step,
  guidance_scale: body.guidance_scale,
  denoise: body.denoise,
  preprocess_prompt: body.preprocess_prompt,
  chunk_duration: body.chunk_duration || null,
  chunk_threshold: body.chunk_threshold || null,
})
