// The common part of all neural voices: spells out what a model cannot read, cuts segments into pieces, fits the speech to a requested
// duration, seeds each piece, yields the samples and reports deviations as notices. A voice only turns one piece into samples.

import type { EngineEvent } from '#agent/engine/seam/engine.ts'
import { type SeededRandom, seededRandom } from '#agent/engine/seam/random.ts'
import { engineRow } from '#shared/engines.ts'
import { paceNotice, type TtsParams, type TtsResult } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

export type Speaker = {
  /** Hz. */
  readonly rate: number
  /** Cleans a text before anything else is done with it. */
  readonly clean?: (text: string) => string
  /** Id of the engine, whose row says for which languages figures and abbreviations are spelled out. */
  readonly engine: string
  /**
   * Tag of the language of a segment; '' or null if it is unknown. A function decides for each segment alone, because its sound must not depend on
   * the other segments of the task.
   */
  readonly language: string | null | ((text: string) => string | null)
  readonly voice: string
  /** Most characters of a piece. */
  readonly maxCharacters: number
  /** Cuts a text into pieces; by default at `maxCharacters`. */
  readonly split?: (text: string) => string[]
  /** Silence between two pieces of a segment. */
  readonly gapMs: number | ((before: string) => number)
  /**
   * Least silence after a segment, by its last piece, for a voice whose ends are trimmed: segments may be joined without a pause of their own. Not
   * used where a duration is requested, which the speech then fills.
   */
  readonly endMs?: (last: string) => number
  /** Slowest and fastest supported speed. Equal values: the voice has one pace, and no duration can be met. */
  readonly speeds: readonly [number, number]
  /** All samples of the piece at once, or a stream of them. */
  readonly speak: (
    piece: string,
    speed: number,
    random: SeededRandom,
    signal: AbortSignal,
  ) => Promise<Float32Array> | AsyncIterable<Float32Array>
  /** Duration of a piece at speed 1; without this function the piece is synthesised to measure it. */
  readonly seconds?: (piece: string) => Promise<number>
  readonly device: string
  readonly deviceReason: string
}

/** Speech of `text`, or silence of `silentMs` when `text` is ''. */
type SpeechStep = {
  readonly part: number
  readonly text: string
  readonly silentMs: number
  readonly seed: number
  readonly stream: number
}

const SILENT_SEGMENT_MS = 200
const SPEAKABLE = /[\p{L}\p{N}]/u

export async function* speakSegments(
  params: TtsParams,
  speaker: Speaker,
  notices: string[],
  signal: AbortSignal,
): AsyncGenerator<EngineEvent> {
  const { rate } = speaker
  // Loaded here, because the agent describes engines without ever speaking.
  const { spelledFor } = await import('#shared/text/normalise/for-engine.ts')
  const { toTextPieces } = await import('#agent/engine/text/text-pieces.ts')
  const { language } = speaker
  const spells = engineRow(speaker.engine)?.spells
  const inWords = (text: string) => spelledFor(spells, text, typeof language === 'function' ? language(text) : language)
  const steps = splitIntoSteps(params, speaker, inWords, toTextPieces)
  const [slowest, fastest] = speaker.speeds
  const clamp = (speed: number) => Math.min(fastest, Math.max(slowest, speed))
  const silence = (step: SpeechStep) => Math.round((step.silentMs * rate) / 1000)
  const synthesise = async function* (step: SpeechStep, speed: number): AsyncGenerator<Float32Array> {
    await nextTurn() // a step blocks the thread, so a cancellation must be able to arrive before it
    signal.throwIfAborted()
    if (step.text === '') return yield new Float32Array(silence(step))
    const spoken = speaker.speak(step.text, speed, seededRandom(step.seed, step.stream), signal)
    if (Symbol.asyncIterator in spoken) yield* spoken
    else yield await spoken
  }
  const lengthOf = async (step: SpeechStep): Promise<number> => {
    let length = 0
    for await (const samples of synthesise(step, 1)) length += samples.length
    return length
  }

  const hasFixedPace = slowest === fastest
  if (hasFixedPace && params.duration !== null) {
    const silent = steps.reduce((sum, step) => sum + (step.text === '' ? silence(step) : 0), 0)
    if (params.duration * rate <= silent) throw new Failure('INVALID_TASK_PARAMS', 'duration: The pauses alone are longer.')
  }
  let speedAt = (_at: number, _made: number) => clamp(params.speed)
  const pace = paceNotice(speaker.speeds, params)
  if (pace !== null) notices.push(pace)
  if (!hasFixedPace && params.duration !== null) {
    const natural: number[] = []
    for (const [at, step] of steps.entries()) {
      await nextTurn()
      signal.throwIfAborted()
      if (step.text === '') natural.push(silence(step))
      else natural.push(speaker.seconds ? Math.round((await speaker.seconds(step.text)) * rate) : await lengthOf(step))
      if (!speaker.seconds) yield { kind: 'progress', progress: (at + 1) / (2 * steps.length), stage: 'measuring' }
    }
    speedAt = fitToDuration(params.duration * rate, steps, natural, clamp, notices)
  }

  const isMeasured = params.duration !== null && !speaker.seconds && !hasFixedPace
  const lengths = params.segments.map(() => 0)
  let made = 0
  for (const [at, step] of steps.entries()) {
    for await (const samples of synthesise(step, speedAt(at, made))) {
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

function splitIntoSteps(
  { segments, duration, language }: TtsParams,
  {
    maxCharacters,
    gapMs,
    endMs = () => 0,
    clean = (text) => text,
    split = (text) => toTextPieces(text, maxCharacters, language ?? ''),
  }: Speaker,
  spellOut: (text: string) => string,
  toTextPieces: (text: string, maxCharacters: number, language: string) => string[],
): SpeechStep[] {
  const gapAfter = typeof gapMs === 'number' ? () => gapMs : gapMs
  const endAfter = (last: string | undefined) => (last === undefined || duration !== null ? 0 : endMs(last))
  const steps = segments.flatMap((segment, part): SpeechStep[] => {
    const texts = split(spellOut(clean(segment.text))).filter((piece) => SPEAKABLE.test(piece))
    const seed = segment.seed ?? 0
    const silence = (silentMs: number): SpeechStep[] => (silentMs > 0 ? [{ part, text: '', silentMs, seed, stream: 0 }] : [])
    return [
      ...texts.flatMap((text, stream) => [
        ...silence(stream > 0 ? gapAfter(texts[stream - 1]!) : 0),
        { part, text, silentMs: 0, seed, stream },
      ]),
      ...silence(Math.max(segment.pause_after_ms, endAfter(texts.at(-1))) + (texts.length === 0 ? SILENT_SEGMENT_MS : 0)),
    ]
  })
  if (!steps.some(({ text }) => text !== ''))
    throw new Failure('INVALID_TASK_PARAMS', 'The text contains nothing that this voice can speak.')
  return steps
}

/**
 * Models do not meet a speed exactly, so the speed of each piece is the ratio of the remaining natural samples to the remaining target
 * samples. Silences keep their length. The returned function is called once per step, in order, with the samples made so far.
 */
function fitToDuration(
  target: number,
  steps: readonly SpeechStep[],
  natural: readonly number[],
  clamp: (speed: number) => number,
  notices: string[],
) {
  let silent = 0
  let spoken = 0
  for (const [at, { text }] of steps.entries()) {
    if (text === '') silent += natural[at]!
    else spoken += natural[at]!
  }
  if (target - silent <= 0) throw new Failure('INVALID_TASK_PARAMS', 'duration: The pauses alone are longer.')
  const first = spoken / (target - silent)
  if (clamp(first) !== first) notices.push('The text cannot be spoken in the requested duration; the nearest possible duration was used.')
  return (at: number, made: number): number => {
    const left = target - made - silent
    const speed = left > 0 ? clamp(spoken / left) : clamp(Number.MAX_VALUE)
    if (steps[at]!.text === '') silent -= natural[at]!
    else spoken -= natural[at]!
    return speed
  }
}
