// POST /clean-audio: the voice of a recording alone, where a separation network is here, else the recording without its noise; where neither
// can be had, the recording as it came. The headers say which.
import { join } from 'node:path'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Bytes, Upload } from '../../http/route.ts'
import { headerText } from '../../inference/synthesis.ts'
import type { Intake, Recording } from '../../media/intake.ts'
import { failureOf, type Tasks } from '../../tasks/tasks.ts'
import { LOCAL } from '../../workers/worker.store.ts'
import { keepFile } from '../speech/chunks.ts'
import { type Listener, onThisMachine } from './recognisers.ts'

export type Cleaning = ReturnType<typeof createCleaning>
type Deps = {
  readonly tasks: Tasks
  readonly intake: Intake
  readonly offered: () => readonly Listener[]
  readonly audioFolder: string
  readonly random: Random
}
const DEADLINE_MS = 900_000
/** Hz of what is sent back when it was cleaned. */
const CLEAN_RATE = 24_000
/** The best first, and what each is told. */
const WAYS = [
  { operation: 'separate', params: { sample_rate: CLEAN_RATE, vocals_only: true } },
  { operation: 'denoise', params: { sample_rate: CLEAN_RATE } },
] as const
type Way = (typeof WAYS)[number]
/** Leaves less music in the voice than any other, and takes the longest. */
const THOROUGH = 'htdemucs'
/** Its makers say that a processor needs about one and a half times as long as the sound lasts; an engine there has ten minutes for a task. */
const THOROUGH_SECONDS = 300
const ONLY_NOISE = 'Only noise was taken out.'
const NOT_CLEANED = 'This is the recording as it came in, converted to mono at 16 kHz; nothing was taken out.'

export function createCleaning({ tasks, intake, offered, audioFolder, random }: Deps) {
  async function clean(
    { operation, params }: Way,
    engine: Listener,
    { wav, seconds }: Recording,
    signal: AbortSignal,
    traceparent: string,
  ): Promise<Buffer> {
    const audio = await tasks.keepInput('audio', wav)
    const spec = {
      operation,
      engine: engine.engine,
      model: engine.model,
      params: JSON.stringify(params),
      priority: 0,
      target: LOCAL,
      size: Math.ceil(seconds),
      deadlineAt: tasks.now() + DEADLINE_MS,
      idempotencyKey: null,
      ephemeral: true,
      inputs: [audio],
      traceparent,
    } as const
    const { record, pieces } = await tasks.open(spec, '', signal)
    const { id } = record.task
    const hangUp = () => void tasks.cancel(id)
    signal.addEventListener('abort', hangUp, { once: true })
    try {
      const sound: Buffer[] = []
      for await (const { bytes } of pieces) sound.push(bytes)
      const ended = await tasks.outcome(id, signal)
      const failure = failureOf(ended)
      if (failure) throw failure
      const { sample_rate: sampleRate } = JSON.parse(ended.result!.result) as { sample_rate?: unknown }
      if (typeof sampleRate !== 'number' || sampleRate <= 0) throw new Failure('WORKER_FAILED', 'the engine names no sample rate')
      const pcm = Buffer.concat(sound)
      return Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: pcm.length / 2 }), pcm])
    } finally {
      signal.removeEventListener('abort', hangUp)
    }
  }

  return {
    async clean(upload: Upload | undefined, signal: AbortSignal, traceparent: string): Promise<Bytes> {
      if (!upload) throw new Failure('BAD_REQUEST', 'The recording is missing from the form.')
      const recording = await intake.read(upload.path, signal)
      let answer = recording.wav
      let wasCleaned = false
      const failed: string[] = []
      let said = NOT_CLEANED
      for (const { way, engine } of chances(offered(), recording.seconds)) {
        try {
          answer = await clean(way, engine, recording, signal, traceparent)
          wasCleaned = true
          said = way.operation === 'separate' ? `${engine.engine} found the voice instead.` : ONLY_NOISE
          break
        } catch (error) {
          signal.throwIfAborted()
          failed.push(`${engine.engine} failed: ${Failure.from(error).message}.`)
        }
      }
      const why = failed.length > 0 ? failed.join(' ') : 'No engine on this machine takes noise out of a recording.'
      const name = `mic_${random.hex(4)}.wav`
      await keepFile(join(audioFolder, name), answer)
      return {
        headers: {
          'content-type': 'audio/wav',
          'content-length': String(answer.length),
          'content-disposition': `attachment; filename="${name}"`,
          'x-clean-filename': name,
          ...(!wasCleaned && { 'x-clean-conversion': 'fallback' }),
          ...((!wasCleaned || failed.length > 0) && {
            'x-svc-routing': 'notice',
            'x-svc-routing-reason': headerText(`${why} ${said}`),
          }),
        },
        body: answer,
      }
    },
  }
}

/** Who is asked, one after the other until one of them succeeds. */
function chances(offered: readonly Listener[], seconds: number): { readonly way: Way; readonly engine: Listener }[] {
  const isThorough = ({ engine }: Listener) => engine === THOROUGH
  const isTooSlow = (one: Listener) => isThorough(one) && one.device === 'cpu' && seconds > THOROUGH_SECONDS
  const rank = (one: Listener) => (isTooSlow(one) ? 2 : isThorough(one) ? 0 : 1)
  return WAYS.flatMap((way) =>
    onThisMachine(offered, way.operation)
      .sort((one, other) => rank(one) - rank(other))
      .map((engine) => ({ way, engine })),
  )
}
