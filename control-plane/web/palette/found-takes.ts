// Takes whose text has the words that are typed, as the studio finds them.
import { strings } from '#messages/palette.ts'
import { get } from '../lib/api.ts'
import { useEffect, useState } from '../lib/html.ts'
import type { Item } from './items.ts'

const MOST_ROWS = 6
const FEWEST_LETTERS = 2
/** Milliseconds after the last letter until the studio is asked. */
const TYPED_MS = 150
/** Letters of a text before the first word that was found, and with it. */
const [BEFORE, SHOWN] = [20, 160]

/** The part of a text that has the first of the words. Pure. */
export function aroundWords(text: string, words: readonly string[]) {
  const folded = text.toLowerCase()
  const at = Math.min(...words.map((word) => folded.indexOf(word)).filter((one) => one >= 0), text.length)
  const from = at >= text.length || at <= BEFORE * 2 ? 0 : at - BEFORE
  return `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}`
}

/** `words`: none to find nothing */
export function useFoundTakes(words: readonly string[]): readonly Item[] {
  const [found, set] = useState([] as readonly Item[])
  const typed = words.join(' ')
  useEffect(() => {
    if (typed.length < FEWEST_LETTERS) return set([])
    const ending = new AbortController()
    const read = async () => {
      const takes = await get(`/history?${new URLSearchParams({ q: typed, limit: String(MOST_ROWS) })}`, ending.signal)
      const item = ({ id, text }: (typeof takes)[number]): Item => ({
        id: `take ${id}`,
        group: 'takes',
        name: aroundWords(text, words),
        about: strings.objects.take,
        icon: 'speak',
        tint: 1,
        href: `#/speak?take=${encodeURIComponent(id)}`,
      })
      if (!ending.signal.aborted) set(takes.map(item))
    }
    // A list that cannot be read offers nothing.
    const timer = setTimeout(() => read().catch(() => ending.signal.aborted || set([])), TYPED_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [typed])
  return found
}
