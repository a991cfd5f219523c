// Running captions: each cue shows again what the ones before it have shown, as captions of live programmes and of YouTube do. Pure; linear.
import { blankBetween } from '#shared/text/join-pieces.ts'

type Shown = { readonly startUs: number; readonly endUs: number; readonly text: string }
/** Difference between the text of a cue and that of the one before it. */
type Step =
  | { readonly kind: 'other' | 'repeat' }
  /** More words in the last line. */
  | { readonly kind: 'words'; readonly fresh: string }
  /** Lines below those of the cue before it. */
  | { readonly kind: 'lines'; readonly fresh: string }

/** Screens show fewer lines at once. */
const MAX_LINES = 8
/** A cue that is as short cannot be read, and cues that are as close are shown without a pause. */
const FLASH_US = 50_000
/** Least share of the cues that repeat; a file of written subtitles repeats fewer. */
const MIN_SHARE = 0.5
const MIN_STEPS = 3
const MIN_REPEATS = 4

/**
 * The cues, in order of their start, with each phrase once if the captions of the file run. A phrase lasts as long as its repetitions follow without
 * a pause. `hasWordTimes`: the file has times inside of cues, which only running captions need.
 */
export function withoutRepeats<T extends Shown>(cues: readonly T[], hasWordTimes: boolean): T[] {
  const steps = cues.map((cue, at): Step => (at === 0 ? { kind: 'other' } : stepBetween(cues[at - 1]!.text, cue.text)))
  if (!areRunning(cues, steps, hasWordTimes)) return [...cues]
  const kept: T[] = []
  for (const [at, cue] of cues.entries()) {
    const step = steps[at]!
    const last = kept.at(-1)
    const adjoins = last !== undefined && cue.startUs <= last.endUs + FLASH_US
    if (step.kind === 'other') kept.push(cue)
    else if (step.kind === 'lines') kept.push({ ...cue, text: step.fresh })
    else if (adjoins)
      kept[kept.length - 1] = {
        ...last,
        endUs: Math.max(last.endUs, cue.endUs),
        text: step.kind === 'words' ? `${last.text}${step.fresh}` : last.text,
      }
    else if (step.kind === 'words') kept.push({ ...cue, text: step.fresh.trim() })
  }
  return kept
}

function areRunning(cues: readonly Shown[], steps: readonly Step[], hasWordTimes: boolean): boolean {
  const count = (wanted: (step: Step, at: number) => boolean) => steps.filter(wanted).length
  const grown = count(({ kind }) => kind === 'words' || kind === 'lines')
  const repeated = count(({ kind }) => kind === 'repeat')
  if (grown + repeated < MIN_SHARE * (cues.length - 1)) return false
  const flashes = count(({ kind }, at) => kind === 'repeat' && cues[at]!.endUs - cues[at]!.startUs <= FLASH_US)
  if (grown > 0) return hasWordTimes || flashes > 0 || grown >= MIN_STEPS
  // A sentence for each of its words, of which one is marked.
  const adjoining = count(({ kind }, at) => kind === 'repeat' && cues[at]!.startUs <= cues[at - 1]!.endUs + FLASH_US)
  return adjoining >= MIN_REPEATS && adjoining >= MIN_SHARE * (cues.length - 1)
}

function stepBetween(before: string, now: string): Step {
  if (now === before) return { kind: 'repeat' }
  if (now.startsWith(before)) {
    const fresh = now.slice(before.length)
    if (fresh.startsWith('\n')) return { kind: 'lines', fresh: fresh.slice(1) }
    if (/^\s/.test(fresh) || blankBetween(before, fresh) === '') return { kind: 'words', fresh }
  }
  const [shown, lines] = [before.split('\n'), now.split('\n')]
  for (let count = Math.min(shown.length, lines.length, MAX_LINES); count > 0; count--) {
    if (!shown.slice(-count).every((line, at) => line === lines[at])) continue
    return count === lines.length ? { kind: 'repeat' } : { kind: 'lines', fresh: lines.slice(count).join('\n') }
  }
  return { kind: 'other' }
}
