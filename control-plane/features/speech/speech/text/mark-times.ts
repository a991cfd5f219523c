// The times of the marks of a script, while its speech passes or by the lengths of its parts. Pure.
import type { Script } from '../script.ts'

export type SpokenMark = {
  readonly name: string
  /** From the start of the speech. */
  readonly seconds: number
}
export type MarkTimes = ReturnType<typeof createMarkTimes>

export const hasMarks = ({ segments, marksAfter = [] }: Script): boolean =>
  marksAfter.length > 0 || segments.some(({ marks = [] }) => marks.length > 0)

/** `sampleRate`: Hz of the engine. */
export function createMarkTimes({ leadMs, segments, marksAfter = [] }: Script, sampleRate: number) {
  let due: SpokenMark[] = []
  let bytes = 0
  /** Segments that have begun. */
  let begun = 0
  const now = () => Math.round(leadMs + (1000 * bytes) / 2 / sampleRate) / 1000
  const reach = (part: number) => {
    for (; begun <= part && begun < segments.length; begun++)
      for (const name of segments[begun]!.marks ?? []) due.push({ name, seconds: now() })
  }
  return {
    /** Counts a piece of the sound, 16 bits a sample, before it is passed on. */
    pass(part: number, length: number): void {
      reach(part)
      bytes += length
    },
    end(): void {
      reach(segments.length - 1)
      for (const name of marksAfter) due.push({ name, seconds: now() })
    },
    /** The marks since the last call, in order. */
    take(): readonly SpokenMark[] {
      const taken = due
      due = []
      return taken
    },
  }
}
