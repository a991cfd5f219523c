// From a request in our own words to a task that speaks, and back: which machine, which parameters, and what stood in for what.
import { createHash } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import type { Piece } from '../tasks/output.ts'
import type { TaskInput, TaskRecord, TaskSpec } from '../tasks/record.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { cloningRefusal } from './missing-model.ts'
import { answering, engineOf, inPlaceOf, isKnown, modelNames, type Offer, speaks } from './substitutes.ts'

export type Segment = { readonly text: string; readonly seed: number | null; readonly pause_after_ms: number }
export type SpeechWish = {
  /** A public model name. */
  readonly model: string
  /** A preset of the engine, or null for its default voice. */
  readonly voice: string | null
  readonly segments: readonly Segment[]
  /** The other parameters of the engine, by their names there. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The recording of a voice to follow: WAV that `tasks.keepInput` has kept. */
  readonly reference?: TaskInput
  readonly idempotencyKey: string | null
  /** The bytes are of no use once the answer is complete. */
  readonly ephemeral: boolean
  /** Trace context of the request. */
  readonly traceparent: string
}
/** Headers that say what stood in for what; empty when nothing did. */
export type Notice = Readonly<Record<string, string>>
export type Synthesis = ReturnType<typeof createSynthesis>
type Deps = {
  readonly tasks: Tasks
  /** What every connected machine offers. */
  readonly offered: () => readonly Offer[]
  /** Where a task of this operation goes now: 'local', 'auto' or a worker id. */
  readonly target: (operation: string) => string
  /** The engine that was chosen for speech. */
  readonly selected: () => string
}
const DEADLINE_MS = 2 * 3600_000

export function createSynthesis({ tasks, offered, target, selected }: Deps) {
  /** Throws BAD_REQUEST for a model nobody has. */
  function resolve(model: string, language: unknown, where: string, cloning: boolean): string {
    const engine = engineOf(model, selected())
    const all = offered()
    const there = all.filter((one) => where === 'auto' || one.workerId === where)
    const offers = there.filter((one) => one.engine === engine && speaks(one))
    if (offers.length === 0 && !isKnown(engine) && !all.some((one) => one.engine === engine && speaks(one)))
      throw new Failure('BAD_REQUEST', `Unknown model '${model.slice(0, 64)}'. Use one of ${modelNames(all).join(', ')}.`)
    // While the machine that would do it is not connected, the task waits for it: its engine is not known to be missing.
    if (offers.length === 0 && all.some(({ workerId }) => where === 'auto' || workerId === where))
      throw new Failure(
        'BAD_REQUEST',
        `Engine '${engine}' is not available: it is not installed on ${where === 'auto' ? 'any connected machine' : 'the chosen machine'}.`,
      )
    // Nobody stands in for a voice that was asked for.
    if (!cloning) return answering(engine, language, offers, there)[0]?.engine ?? engine
    if (offers.length > 0 && !offers.some((one) => one.cloning && one.downloaded)) throw cloningRefusal(engine)
    return engine
  }

  /** Throws BAD_REQUEST for an engine that nobody has. */
  function prepare({ model, voice, segments, parameters, idempotencyKey, ephemeral, traceparent, reference }: SpeechWish): {
    spec: TaskSpec
    digest: string
  } {
    const where = target('tts')
    const engine = resolve(model, parameters['language'], where, reference !== undefined)
    const params = JSON.stringify({ ...parameters, voice, segments })
    const spec: TaskSpec = {
      operation: 'tts',
      engine,
      model: '',
      params,
      priority: 0,
      target: where,
      size: segments.reduce((sum, { text }) => sum + text.length, 0),
      deadlineAt: tasks.now() + DEADLINE_MS,
      idempotencyKey,
      ephemeral,
      ...(reference && { inputs: [reference] }),
      traceparent,
    }
    return { spec, digest: idempotencyKey === null ? '' : createHash('sha256').update(`${engine} ${params}`).digest('hex') }
  }

  return {
    /** Throws what `submit` would for a task with a reference: whoever sends a recording learns it before that is read. */
    refuseCloning: (model: string): void => void resolve(model, null, target('tts'), true),
    /** Admits the task. Throws BAD_REQUEST, QUEUE_FULL, IDEMPOTENCY_CONFLICT, STORAGE_FULL. */
    async submit(wish: SpeechWish): Promise<TaskRecord> {
      const { spec, digest } = prepare(wish)
      return tasks.submit(spec, digest)
    },
    /** As `submit`, and its sound from the first byte on. */
    async open(wish: SpeechWish, signal: AbortSignal): Promise<{ record: TaskRecord; pieces: AsyncGenerator<Piece> }> {
      const { spec, digest } = prepare(wish)
      return tasks.open(spec, digest, signal)
    },

    /** Resolves when there is something to hear; rejects with how the task ended when there never will be. */
    async heard(id: string, signal: AbortSignal): Promise<void> {
      for await (const _piece of tasks.follow(id, signal)) return
      throw new Failure('WORKER_FAILED', 'the engine made no sound')
    },

    /** The offer of the machine that runs the task or ran it, as an answer to `model`. Only after its first byte. */
    offerFor(id: string, model: string): Offer | undefined {
      const record = tasks.get(id)!
      const { spec } = record
      const workerId = tasks.attemptsOf(record).at(-1)?.worker_id
      const offer = offered().find((one) => one.workerId === workerId && one.engine === spec.engine && one.operation === spec.operation)
      return inPlaceOf(engineOf(model, selected()), offer)
    },

    /** Hz of what a task makes or made. Sound at a guessed rate would be at the wrong pitch, so a machine that left too early is a failure. */
    sampleRateOf(id: string): number {
      const { result } = tasks.get(id)!
      const rate = result
        ? (JSON.parse(result.result) as { sample_rate?: unknown }).sample_rate
        : this.offerFor(id, tasks.get(id)!.spec.engine)?.sample_rate
      if (typeof rate === 'number' && rate > 0) return rate
      throw new Failure('WORKER_DISCONNECTED', 'the machine left before it was known how its sound is to be read')
    },

    /** What the caller should know: the engine that stood in, the voice that is not there. */
    notice(offer: Offer | undefined, voice: string | null, more: readonly string[] = []): Notice {
      const reasons: string[] = []
      if (offer?.stands_in) reasons.push(offer.stands_in)
      if (!offer) reasons.push('The machine that spoke is away, so what stood in for what can no longer be told.')
      if (offer && voice !== null && offer.voices.length > 0 && !offer.voices.some(({ id }) => id === voice))
        reasons.push(`There is no voice ${voice}; the default voice ${offer.voices[0]!.id} spoke.`)
      reasons.push(...more)
      if (reasons.length === 0) return {}
      return { 'x-svc-routing': offer?.stands_in ? 'stand_in' : 'notice', 'x-svc-routing-reason': headerText(reasons.join(' ')) }
    },
  }
}

/** Headers carry visible ASCII only. */
export const headerText = (text: string): string => text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 1000)
