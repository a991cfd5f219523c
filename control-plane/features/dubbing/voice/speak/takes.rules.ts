// Takes: the key that names everything that the sound of a line depends on, and which lines are spoken as one task. Pure.

import { keyOf } from '#control-plane/jobs/key.ts'
import { paceOf } from '#shared/text/pace.ts'

/** Raised when the same line would sound different. */
const VERSION = 1
/** Speech that a crash may repeat. */
export const MAX_GROUP_SECONDS = 45
const MAX_GROUP_LINES = 100
const SHORTEST_SECONDS = 0.5

export type SpokenWords = {
  /** Text for the engine. */
  readonly text: string
  readonly speed: number
  readonly numStep: number
  readonly guidance: number
}
export type KeyedVoice = {
  readonly engine: string
  /** Implementation that answers as the engine, and the digest of its model; empty if they are unknown. */
  readonly implementation: string
  readonly modelDigest: string
  readonly language: string | null
  /** Everything else of the voice: preset, instruct, recording and its transcript. */
  readonly digest: string
}

/** `takeNo`: 0, and one more for each time that the unchanged line was asked for again. `ordinal`: among equal lines of the dub. */
export const takeKey = (voice: KeyedVoice, { text, speed, numStep, guidance }: SpokenWords, takeNo: number, ordinal: number): string => {
  const { engine, implementation, modelDigest, language, digest } = voice
  return keyOf({
    kind: 'dub.take',
    version: VERSION,
    inputs: [digest],
    params: { engine, implementation, modelDigest, language, text, speed, numStep, guidance, takeNo, ordinal },
  })
}

/** The first 32 bits of the key. */
export const seedOfTake = (key: string): number => Number.parseInt(key.slice(0, 8), 16)

/** A guess from the length of the text, for the size of tasks only. */
export const guessedSeconds = (text: string, language: string | null, speed: number): number =>
  Math.max(SHORTEST_SECONDS, [...text].length / paceOf(language ?? '') / speed)

/**
 * The take number of a line. `keyAt` gives the key of a number, `known` those that this line has. The latest one counts; `isAgain` asks for the
 * next.
 */
export function takeNumber(keyAt: (takeNo: number) => string, known: ReadonlySet<string>, isAgain: boolean): number {
  let last = -1
  for (let number = 0; number <= known.size; number++) if (known.has(keyAt(number))) last = number
  return isAgain ? last + 1 : Math.max(0, last)
}

export type Groupable = { readonly voice: number; readonly speed: number; readonly seconds: number; readonly startUs: number }

/** Indexes of lines that one task speaks: of one voice and speed, at most 45 s together, in the order of the film. */
export function groupLines(lines: readonly Groupable[]): number[][] {
  const order = lines.map((_, index) => index).sort((a, b) => lines[a]!.startUs - lines[b]!.startUs || a - b)
  const groups: number[][] = []
  const open = new Map<string, { readonly members: number[]; seconds: number }>()
  for (const index of order) {
    const { voice, speed, seconds } = lines[index]!
    const name = `${voice} ${speed}`
    const current = open.get(name)
    if (current && current.seconds + seconds <= MAX_GROUP_SECONDS && current.members.length < MAX_GROUP_LINES) {
      current.members.push(index)
      current.seconds += seconds
      continue
    }
    const members = [index]
    groups.push(members)
    open.set(name, { members, seconds })
  }
  return groups
}
