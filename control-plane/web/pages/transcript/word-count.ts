// The number of words of a transcript, also in scripts without blanks between words. Counted piece by piece, because dividing such a script takes a
// browser 5 ms for a thousand letters.

import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { type Content, type Spoken, textOf } from './content.ts'

const WITHOUT_BLANKS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
/** UTF-16 units that are divided at once; a word on the edge counts twice. */
const PIECE = 500
/** Milliseconds until other work of the page gets its turn. */
const TURN_MS = 8

/** Segments that did not change stay the same objects. */
const known: WeakMap<Spoken, number> = new WeakMap()
let divider: Intl.Segmenter | undefined

function wordsOf(text: string) {
  if (!WITHOUT_BLANKS.test(text)) return text.split(/\s+/).filter(Boolean).length
  divider ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  let count = 0
  for (const { isWordLike } of divider.segment(text)) if (isWordLike) count++
  return count
}

/** Pauses after each piece of a text; returns the number of words. */
export function* countingWords(segments: Content['segments']): Generator<void, number> {
  let sum = 0
  for (const segment of segments) {
    let count = known.get(segment)
    if (count === undefined) {
      count = 0
      const text = textOf(segment)
      const size = WITHOUT_BLANKS.test(text) ? PIECE : text.length
      for (let at = 0; at < text.length; at += size) {
        count += wordsOf(text.slice(at, at + size))
        yield
      }
      known.set(segment, count)
    }
    sum += count
  }
  return sum
}

/** null until they are counted */
export function useWordCount(segments: Content['segments']): number | null {
  const [count, set] = useState(null as number | null)
  useEffect(() => {
    const counting = countingWords(segments)
    let timer = 0
    const goOn = () => {
      const end = performance.now() + TURN_MS
      do {
        const { done, value } = counting.next()
        if (done) return set(value)
      } while (performance.now() < end)
      timer = window.setTimeout(goOn)
    }
    goOn()
    return () => clearTimeout(timer)
  }, [segments])
  return count
}
