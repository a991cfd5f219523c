// The tasks of a dictation: recognition of the audio since the last settled text, and detection of speech in what has just arrived. Each task runs
// where the target says at that moment, so a dictation leaves a machine with its consent, its connection, or the choice of the owner.

import type { Offer } from '#control-plane/inference/offers.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import type { ParamsInput, ResultOf } from '#shared/operations/table.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { LIVE_RATE } from './audio/source.ts'
import type { LivePlace, LivePlaces } from './places.ts'

export type DictationTasks = ReturnType<typeof createDictationTasks>
export type Recognised = Pick<AsrResult, 'segments' | 'language' | 'notices'> & { readonly recogniser: Offer; readonly tookSeconds: number }
/** The language and the words that are expected. */
export type RecognitionHints = Pick<ParamsInput<'asr'>, 'language' | 'prompt'>
type Deps = {
  readonly inference: Pick<Inference, 'holdInput' | 'run'>
  readonly clock: Clock
  readonly places: Pick<LivePlaces, 'current' | 'isCurrent' | 'giveUp'>
}

/** A text that takes longer is of no use to a person who speaks. */
const WITHIN_MS = 120_000
/** Milliseconds between two comparisons of a running task with the target. */
const WATCH_MS = 250
/** The chosen machine will not take the task again. */
const MACHINE_LOST: ReadonlySet<FailureCode> = new Set(['PINNED_WORKER_UNREACHABLE', 'PINNED_WORKER_EXHAUSTED'])

/** Throws what `places.current` throws; its tasks reject with the same when the dictation has to move. */
export function createDictationTasks({ inference, clock, places }: Deps, signal: AbortSignal) {
  let place = places.current()

  /** Aborts when `from` is no longer the right place. `end` stops the watch. */
  function watch(from: LivePlace) {
    const moved = new AbortController()
    let cancelTimer = () => {}
    const look = () => {
      if (places.isCurrent(from)) cancelTimer = clock.after(WATCH_MS, look)
      else moved.abort(new Failure('CANCELLED', 'The dictation has moved to another machine.'))
    }
    look()
    return { signal: moved.signal, end: () => cancelTimer() }
  }

  /** Runs `task` at the current place, and again at the next one if it moves. */
  async function following<T>(task: (at: LivePlace, until: AbortSignal) => Promise<T>, until: AbortSignal): Promise<T> {
    for (;;) {
      until.throwIfAborted()
      if (!places.isCurrent(place)) place = places.current()
      const from = place
      const moved = watch(from)
      try {
        return await task(from, AbortSignal.any([until, moved.signal]))
      } catch (error) {
        until.throwIfAborted()
        if (!moved.signal.aborted && !(MACHINE_LOST.has(Failure.from(error).code) && places.giveUp(from))) throw error
      } finally {
        moved.end()
      }
    }
  }

  async function run<Id extends 'asr' | 'vad'>(
    operation: Id,
    offer: Offer,
    params: ParamsInput<Id>,
    pcm: Buffer,
    until: AbortSignal,
    newSeconds = pcm.length / 2 / LIVE_RATE,
  ): Promise<ResultOf<Id>> {
    const samples = pcm.length / 2
    const { input, release } = inference.holdInput(
      'audio',
      Buffer.concat([wavHeader({ sampleRate: LIVE_RATE, channels: 1, samples }), pcm]),
    )
    try {
      const { engine, model, workerId: target } = offer
      const seconds = samples / LIVE_RATE
      const where = { engine, model, target, withinMs: WITHIN_MS, ephemeral: true, traceparent: '' }
      return await inference.run({ operation, params, inputs: [input], seconds, newSeconds, ...where }, until)
    } finally {
      release()
    }
  }

  return {
    /** Machine of the newest task. */
    place: () => place,
    /** Speech in seconds from the start of `pcm`; all of it without a detector. `threshold`: probability of speech, from 0.01 to 0.99. */
    speechIn: (pcm: Buffer, threshold = 0.5): Promise<readonly { readonly start: number; readonly end: number }[]> =>
      following(
        async ({ detector }, until) =>
          detector
            ? (await run('vad', detector, { threshold, min_speech_ms: 120, pad_ms: 0 }, pcm, until)).segments
            : [{ start: 0, end: pcm.length / 2 / LIVE_RATE }],
        signal,
      ),
    /**
     * `isPartial`: the recording goes on, so a recogniser that can continue keeps its state. `hints`: of the client; a recogniser may refuse them.
     * `newSeconds`: of `pcm` those that were not recognised before; default: all.
     */
    recognise: (
      pcm: Buffer,
      isPartial: boolean,
      until: AbortSignal,
      { newSeconds, ...hints }: RecognitionHints & { readonly newSeconds?: number } = {},
    ): Promise<Recognised> =>
      following(async ({ recogniser }, running) => {
        const startedAt = clock.mono()
        const params = { ...hints, ...(isPartial && recogniser.continues && { partial: true }) }
        const { segments, language, notices } = await run('asr', recogniser, params, pcm, running, newSeconds)
        return { segments, language, notices, recogniser, tookSeconds: (clock.mono() - startedAt) / 1000 }
      }, until),
  }
}
