// Chapters as a person names them on the command line: `1-3,5`.
import { Misuse } from '#cli/lib/command.ts'

const RANGE = /^(\d{1,5})(?:-(\d{1,5}))?$/

/** Places from 0, ascending. Throws Misuse for what names no chapters, or one that the book of `count` chapters does not have. */
export function chapterPlaces(written: string, count: number): number[] {
  const places = new Set<number>()
  for (const part of written.split(',')) {
    const range = RANGE.exec(part.trim())
    const [first, last] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])]
    if (range === null || first < 1 || last < first) throw new Misuse(`Name chapters by their numbers, such as --chapters 1-3,5.`)
    if (last > count) throw new Misuse(`There is no chapter ${last}: the book has ${count}.`)
    for (let at = first; at <= last; at++) places.add(at - 1)
  }
  return [...places].sort((left, right) => left - right)
}
