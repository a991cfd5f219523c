// @ts-check
// What the palette offers and how it is found. Pure: a text of n words costs n searches in each name.

/** @import { IconName } from '../look/icons.js' */
/** @typedef {'running' | 'pages' | 'actions' | 'machines' | 'projects' | 'voices' | 'jobs'} Group */
/**
 * @typedef {object} Item
 * @property {string} id unique
 * @property {Group} group
 * @property {string} name
 * @property {string} about
 * @property {IconName} icon
 * @property {number} tint
 * @property {string} [href] the address that it opens
 * @property {() => unknown} [run] what it does, without an address
 */
/** @typedef {{ readonly text: string, readonly isMatch: boolean }} Part */

/** What the page knows itself comes first, so that answers of the studio move nothing. @type {readonly Group[]} */
export const GROUPS = ['running', 'pages', 'actions', 'machines', 'projects', 'voices', 'jobs']
/** Rows of a group while a text is typed. */
const MOST_ROWS = 6
/** Groups that are shown before anything is typed. @type {readonly Group[]} */
const AT_FIRST = ['running', 'pages', 'actions']
const NAME_CHARS = 200

/** The words of a text; `>` in front of them asks for commands only. @param {string} text */
export function wantedOf(text) {
  const typed = text.trim().toLowerCase()
  const onlyActions = typed.startsWith('>')
  const words = (onlyActions ? typed.slice(1) : typed).split(' ').filter(Boolean)
  return { words: [...new Set(words)], onlyActions }
}

/** 0: the name begins with the word; 1: a word of it does; 2: it is inside; null: it is not there. @param {string} name @param {string} word */
function rankOf(name, word) {
  const at = name.indexOf(word)
  if (at === -1) return null
  if (at === 0) return 0
  return name.includes(` ${word}`) ? 1 : 2
}

/**
 * The items whose names contain every word, by group, the best first.
 * @param {readonly Item[]} items
 * @param {string} text
 * @returns {{ group: Group, items: readonly Item[] }[]}
 */
export function foundItems(items, text) {
  const { words, onlyActions } = wantedOf(text)
  const isFirst = words.length === 0
  /** @type {Map<Group, { item: Item, rank: number }[]>} */
  const found = new Map()
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

/** A name in parts, where the words were found. @param {string} whole @param {readonly string[]} words @returns {readonly Part[]} */
export function matchedParts(whole, words) {
  const name = whole.slice(0, NAME_CHARS)
  const folded = name.toLowerCase()
  // Some letters become two in lower case; then positions differ.
  if (folded.length !== name.length) return [{ text: name, isMatch: false }]
  const ranges = words
    .map((word) => ({ from: folded.indexOf(word), length: word.length }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from)
  /** @type {Part[]} */
  const parts = []
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
