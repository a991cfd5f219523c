// What every neural voice does with a task: cuts the segments into pieces, meets a wanted duration, seeds each piece, hands out the samples
// and tells what it did differently. The voices themselves only turn one piece into samples.

import { setImmediate as turn } from 'node:timers/promises'
import type { TtsParams, TtsResult } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { EngineEvent } from '../seam/engine.ts'
import { type SeededRandom, seededRandom } from '../seam/random.ts'
import { toTextPieces } from './text-pieces.ts'

export type Speaker = {
  /** Hz. */
  readonly rate: number
  readonly voice: string
  /** Characters that a piece may have. */
  readonly longest: number
  /** Another way to cut a text than by characters. */
  readonly split?: (text: string) => string[]
  /** Silence after a piece that another one follows. */
  readonly gapMs: number | ((before: string) => number)
  /** Speeds that the model speaks well at; twice the same: it has one pace, and no duration can be met. */
  readonly speeds: readonly [number, number]
  /** All samples of the piece at once, or as they come. */
  readonly speak: (
    piece: string,
    speed: number,
    random: SeededRandom,
    signal: AbortSignal,
  ) => Promise<Float32Array> | AsyncIterable<Float32Array>
  /** How long a piece would be at speed 1; without it the piece is spoken to find out. */
  readonly seconds?: (piece: string) => Promise<number>
  readonly device: string
  readonly deviceReason: string
}

/** Either `text` is said, or it is '' and silence of that length is made. */
type Step = { readonly part: number; readonly text: string; readonly silentMs: number; readonly seed: number; readonly stream: number }

const SILENT_SEGMENT_MS = 200
const CAN_BE_SAID = /[\p{L}\p{N}]/u

export async function* speakAll(wanted: TtsParams, speaker: Speaker, notices: string[], signal: AbortSignal): AsyncGenerator<EngineEvent> {
  const { rate } = speaker
  const steps = toSteps(wanted, speaker)
  const [slowest, fastest] = speaker.speeds
  const clamp = (speed: number) => Math.min(fastest, Math.max(slowest, speed))
  const silence = (step: Step) => Math.round((step.silentMs * rate) / 1000)
  const say = async function* (step: Step, speed: number): AsyncGenerator<Float32Array> {
    await turn() // a step blocks the thread: before it, a cancellation may arrive
    signal.throwIfAborted()
    if (step.text === '') return yield new Float32Array(silence(step))
    const spoken = speaker.speak(step.text, speed, seededRandom(step.seed, step.stream), signal)
    if (Symbol.asyncIterator in spoken) yield* spoken
    else yield await spoken
  }
  const lengthOf = async (step: Step): Promise<number> => {
    let length = 0
    for await (const samples of say(step, 1)) length += samples.length
    return length
  }

  const isSteady = slowest === fastest
  if (isSteady && wanted.duration !== null) {
    const silent = steps.reduce((sum, step) => sum + (step.text === '' ? silence(step) : 0), 0)
    if (wanted.duration * rate <= silent) throw new Failure('INVALID_TASK_PARAMS', 'duration: shorter than the pauses alone')
  }
  let speedAt = (_at: number, _made: number) => clamp(wanted.speed)
  if (isSteady) {
    if (wanted.speed !== slowest || wanted.duration !== null)
      notices.push('This voice has a pace of its own; speed and duration do not change it.')
  } else if (wanted.duration === null) {
    if (clamp(wanted.speed) !== wanted.speed)
      notices.push(`This voice speaks at ${slowest} to ${fastest} times its speed; the nearest was used.`)
  } else {
    const natural: number[] = []
    for (const [at, step] of steps.entries()) {
      await turn()
      signal.throwIfAborted()
      if (step.text === '') natural.push(silence(step))
      else natural.push(speaker.seconds ? Math.round((await speaker.seconds(step.text)) * rate) : await lengthOf(step))
      if (!speaker.seconds) yield { kind: 'progress', progress: (at + 1) / (2 * steps.length), stage: 'measuring' }
    }
    speedAt = fitting(wanted.duration * rate, steps, natural, clamp, notices)
  }

  const isMeasured = wanted.duration !== null && !speaker.seconds && !isSteady
  const lengths = wanted.segments.map(() => 0)
  let made = 0
  for (const [at, step] of steps.entries()) {
    for await (const samples of say(step, speedAt(at, made))) {
      made += samples.length
      lengths[step.part]! += samples.length
      yield { kind: 'audio', part: step.part, samples }
    }
    const share = (at + 1) / steps.length
    yield { kind: 'progress', progress: isMeasured ? 0.5 + share / 2 : share, stage: 'speaking' }
  }
  const { voice, device, deviceReason } = speaker
  const parts = lengths.map((samples) => ({ samples }))
  const result: TtsResult = { sample_rate: rate, parts, voice, notices, device, device_reason: deviceReason }
  yield { kind: 'result', result }
}

function toSteps({ segments }: TtsParams, { longest, gapMs, split = (text) => toTextPieces(text, longest) }: Speaker): Step[] {
  const gapAfter = typeof gapMs === 'number' ? () => gapMs : gapMs
  const steps = segments.flatMap((segment, part): Step[] => {
    const said = split(segment.text).filter((piece) => CAN_BE_SAID.test(piece))
    const seed = segment.seed ?? 0
    const silence = (silentMs: number): Step[] => (silentMs > 0 ? [{ part, text: '', silentMs, seed, stream: 0 }] : [])
    return [
      ...said.flatMap((text, stream) => [
        ...silence(stream > 0 ? gapAfter(said[stream - 1]!) : 0),
        { part, text, silentMs: 0, seed, stream },
      ]),
      ...silence(segment.pause_after_ms + (said.length === 0 ? SILENT_SEGMENT_MS : 0)),
    ]
  })
  if (!steps.some(({ text }) => text !== '')) throw new Failure('INVALID_TASK_PARAMS', 'segments: no text that this voice can say')
  return steps
}

/**
 * Speech does not become as fast as asked to the sample, so each piece's speed comes from what is left: samples still natural over samples
 * still wanted. Silences keep their length. The returned function is called once per step, in order, with the samples made so far.
 */
function fitting(target: number, steps: readonly Step[], natural: readonly number[], clamp: (speed: number) => number, notices: string[]) {
  let silent = 0
  let spoken = 0
  for (const [at, { text }] of steps.entries()) {
    if (text === '') silent += natural[at]!
    else spoken += natural[at]!
  }
  if (target - silent <= 0) throw new Failure('INVALID_TASK_PARAMS', 'duration: shorter than the pauses alone')
  const first = spoken / (target - silent)
  if (clamp(first) !== first) notices.push('The text cannot be spoken in the wanted duration; the nearest possible one was used.')
  return (at: number, made: number): number => {
    const left = target - made - silent
    const speed = left > 0 ? clamp(spoken / left) : clamp(Number.MAX_VALUE)
    if (steps[at]!.text === '') silent -= natural[at]!
    else spoken -= natural[at]!
    return speed
  }
}
