// The progress of work in stages: on a terminal one line that is rewritten, elsewhere one line for each stage that has ended.
import type { Writable } from 'node:stream'
import { cut, printable, shortDuration, WIDTH } from '#cli/views/table.ts'

type Screen = { readonly output: Writable & { readonly isTTY?: boolean }; readonly errors: Writable }
export type Stages = ReturnType<typeof createStages>
export type StageLine = {
  /** `fraction`: from 0 to 1; null while unknown. `what`: a few words. */
  readonly at: (fraction: number | null, what?: string) => void
  readonly end: (result: string) => void
}

/** Earlier figures are chance. */
const FROM_FRACTION = 0.02
const FROM_SECONDS = 3
/** A line of a terminal is rewritten this often at most. */
const EVERY_MS = 100

/** `mono`: a clock in milliseconds that never jumps. */
export function createStages({ output, errors }: Screen, mono: () => number = () => performance.now()) {
  const isScreen = output.isTTY === true
  const clear = () => isScreen && errors.write('\r\u001b[K')
  return {
    /** Begins a stage. `title`: what is being done. */
    begin(title: string): StageLine {
      const startedAt = mono()
      let shownAt = Number.NEGATIVE_INFINITY
      let base: number | null = null
      const seconds = () => (mono() - startedAt) / 1000
      if (isScreen) errors.write(`\r\u001b[K${title} …`)
      return {
        at(fraction, what = '') {
          if (!isScreen || mono() - shownAt < EVERY_MS) return
          shownAt = mono()
          // What was there before the stage began took no time.
          base ??= fraction
          const made = fraction === null || base === null ? 0 : fraction - base
          const left =
            fraction !== null && made >= FROM_FRACTION && fraction < 1 && seconds() >= FROM_SECONDS
              ? `, about ${shortDuration((seconds() / made) * (1 - fraction))} left`
              : ''
          const share = fraction === null ? ` ${shortDuration(seconds())}` : ` ${Math.floor(fraction * 100)} %`
          // A line that wraps cannot be rewritten.
          errors.write(`\r\u001b[K${cut(`${title}:${share}${left}${what === '' ? '' : ` (${printable(what)})`}`, WIDTH - 1)}`)
        },
        end(result) {
          clear()
          errors.write(`${title}: ${printable(result)} (${shortDuration(seconds())})\n`)
        },
      }
    },
    /** A sentence between the stages. */
    say(sentence: string): void {
      clear()
      errors.write(`${printable(sentence)}\n`)
    },
    clear,
  }
}
