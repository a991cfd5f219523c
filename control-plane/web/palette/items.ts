// The items of the palette, and the search in them. Pure: a text of n words costs n searches in each name.
import type { IconName } from '../look/icons.tsx'

export type Group = 'running' | 'pages' | 'actions' | 'machines' | 'projects' | 'voices' | 'jobs' | 'takes'
export type Item = {
  /** unique */
  id: string
  group: Group
  name: string
  about: string
  icon: IconName
  tint: number
  /** the address that it opens */
  href?: string
  /** action of an item without an address */
  run?: () => unknown
}
export type Part = { readonly text: string; readonly isMatch: boolean }

/** Groups in order. Items that the page has itself come first, so that answers of the studio move nothing. */
export const GROUPS: readonly Group[] = ['running', 'pages', 'actions', 'machines', 'projects', 'voices', 'jobs']
/** Rows of a group while a text is typed. */
const MOST_ROWS = 6
/** Groups that are shown before anything is typed. */
const AT_FIRST: readonly Group[] = ['running', 'pages', 'actions']
const NAME_CHARS = 200

/** The words of a text; `>` in front of them asks for commands only. */
export function wantedOf(text: string) {
  const typed = text.trim().toLowerCase()
  const onlyActions = typed.startsWith('>')
  const words = (onlyActions ? typed.slice(1) : typed).split(' ').filter(Boolean)
  return { words: [...new Set(words)], onlyActions }
}

/** 0: the name begins with the word; 1: a word of it does; 2: it is inside; null: it is not there. */
function rankOf(name: string, word: string) {
  const at = name.indexOf(word)
  if (at === -1) return null
  if (at === 0) return 0
  return name.includes(` ${word}`) ? 1 : 2
}

/** The items whose names contain every word, by group, the best first. */
export function foundItems(items: readonly Item[], text: string): { group: Group; items: readonly Item[] }[] {
  const { words, onlyActions } = wantedOf(text)
  const isFirst = words.length === 0
  const found: Map<Group, { item: Item; rank: number }[]> = new Map()
  for (const item of items) {
    if (onlyActions ? item.group !== 'actions' : isFirst && !AT_FIRST.includes(item.group)) continue
    const name = item.name.slice(0, NAME_CHARS).toLowerCase()
    let rank = 0
    for (const word of words) {
      const one = rankOf(name, word)
      rank = one === null ? Number.POSITIVE_INFINITY : Math.max(rank, one)
    }
    if (rank === Number.POSITIVE_INFINITY) continue
    const rows = found.get(item.group)
    if (rows) rows.push({ item, rank })
    else found.set(item.group, [{ item, rank }])
  }
  return GROUPS.flatMap((group) => {
    const rows = (found.get(group) ?? []).sort((a, b) => a.rank - b.rank).map(({ item }) => item)
    return rows.length === 0 ? [] : [{ group, items: isFirst ? rows : rows.slice(0, MOST_ROWS) }]
  })
}

/** A name in parts, where the words were found. */
export function matchedParts(whole: string, words: readonly string[]): readonly Part[] {
  const name = whole.slice(0, NAME_CHARS)
  const folded = name.toLowerCase()
  // Some letters become two in lower case; then positions differ.
  if (folded.length !== name.length) return [{ text: name, isMatch: false }]
  const ranges = words
    .map((word) => ({ from: folded.indexOf(word), length: word.length }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from)
  const parts: Part[] = []
  let at = 0
  for (const { from, length } of ranges) {
    if (from < at) continue
    if (from > at) parts.push({ text: name.slice(at, from), isMatch: false })
    parts.push({ text: name.slice(from, from + length), isMatch: true })
    at = from + length
  }
  if (at < name.length) parts.push({ text: name.slice(at), isMatch: false })
  return parts
}
