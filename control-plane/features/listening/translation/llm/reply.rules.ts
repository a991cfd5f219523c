// Reads the answer of a language model, and decides whether a line of it can be the translation of a line. A reply is foreign text: only
// values of the ids that were asked for are read, and each becomes the text of its own line and nothing else. Pure.
import { z } from 'zod'
import { parseJson } from '#shared/protocol/json.ts'
import { MAX_LINE_CHARS } from '../providers/service.ts'

/** Reason to reject a text. */
export type LineObjection = 'empty' | 'script' | 'length' | 'untranslated' | 'leftover'

const REPLY_BYTES = 256 * 1024
const DEPTH = 8
const MAX_ITEMS = 500
const Item = z.object({ id: z.string().max(64) })
const Items = z.array(z.unknown()).max(MAX_ITEMS)

/** The JSON value in a reply; undefined without one. Some models put a sentence or a code block around it. */
export function jsonIn(reply: string): unknown {
  for (const [open, close] of [
    ['{', '}'],
    ['[', ']'],
  ] as const) {
    const from = reply.indexOf(open)
    const to = reply.lastIndexOf(close)
    if (from < 0 || to < from) continue
    try {
      return parseJson(Buffer.from(reply.slice(from, to + 1)), { bytes: REPLY_BYTES, depth: DEPTH })
    } catch {
      // Perhaps it is a list.
    }
  }
  return undefined
}

/** The rows of `{"lines": [{"id": ...}]}` by id, for the ids that were asked for. An id that comes twice with different rows is dropped. */
export function rowsById<T extends object>(reply: string, ids: readonly string[], schema: z.ZodType<T>): Map<string, T> {
  const value = jsonIn(reply)
  const list = Items.safeParse(Array.isArray(value) ? value : (value as { readonly lines?: unknown } | null | undefined)?.lines)
  const rows = new Map<string, T>()
  const contradicted = new Set<string>()
  for (const item of list.data ?? []) {
    const id = Item.safeParse(item).data?.id
    const row = schema.safeParse(item).data
    if (id === undefined || row === undefined || !ids.includes(id)) continue
    const earlier = rows.get(id)
    if (earlier && JSON.stringify(earlier) !== JSON.stringify(row)) contradicted.add(id)
    rows.set(id, row)
  }
  for (const id of contradicted) rows.delete(id)
  return rows
}

/** A line as a subtitle and a speaker can have it: one line, without control characters. */
export const LineText = z
  .string()
  .max(MAX_LINE_CHARS)
  .transform((text) =>
    text
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  )

/** Scripts of languages that are not written in Latin letters. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ...languages('ru uk be bg mk sr kk ky mn tg', /\p{Script=Cyrillic}/gu),
  ...languages('ar fa ur ps', /\p{Script=Arabic}/gu),
  ...languages('hi mr ne', /\p{Script=Devanagari}/gu),
  ...languages('zh yue', /\p{Script=Han}/gu),
  ...languages('ja', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu),
  ...languages('el', /\p{Script=Greek}/gu),
  ...languages('he yi', /\p{Script=Hebrew}/gu),
  ...languages('ko', /[\p{Script=Hangul}\p{Script=Han}]/gu),
  ...languages('th', /\p{Script=Thai}/gu),
  ...languages('bn', /\p{Script=Bengali}/gu),
  ...languages('ta', /\p{Script=Tamil}/gu),
  ...languages('te', /\p{Script=Telugu}/gu),
  ...languages('ka', /\p{Script=Georgian}/gu),
  ...languages('hy', /\p{Script=Armenian}/gu),
  ...languages('am', /\p{Script=Ethiopic}/gu),
}
/** Languages in Latin letters whose texts may be checked. Others, such as Serbian, are written in several scripts. */
const LATIN = new Set('en de fr es it pt nl pl cs sk sl hr ro hu fi sv no nb nn da is et lv lt tr vi id ms sw ca gl eu af cy ga'.split(' '))
const SEVERAL_SCRIPTS = new Set(['sr', 'kk', 'mn'])
function languages(codes: string, script: RegExp): Record<string, RegExp> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, script]))
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const LEFTOVERS = [/```/, /"(?:id|lines|text|source|glossary|max_characters)"\s*:/, /^L\d{1,5}\s*[:.)-]/, /<\/?(?:lines|data)>/]
const MIN_LETTERS = 4
/** Additional characters that a short line may have: "OK" can become a word of fifteen letters. */
const SLACK = 20

const countIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
const baseOf = (language: string): string => language.toLowerCase().split(/[-_]/, 1)[0] ?? ''

function isInScript(text: string, target: string, source: string): boolean {
  const language = baseOf(target)
  const letters = countIn(text, /\p{L}/gu)
  if (letters < MIN_LETTERS || SEVERAL_SCRIPTS.has(language)) return true
  const script = SCRIPTS[language]
  // A name in Latin letters may stay as it is, so a line of names only is in another script.
  if (script) return countIn(text, script) * 4 >= letters || !hasWords(source)
  return !LATIN.has(language) || countIn(text, /\p{Script=Latin}/gu) * 2 >= letters
}

/** True if a line is more than names and numbers: it has words that begin with a small letter, or no letters of that kind at all. */
function hasWords(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  return words.filter((word) => word.charAt(0) !== word.charAt(0).toUpperCase()).length >= 3 || (words.length > 0 && DENSE.test(text))
}

/** Reason why `text` cannot be the translation of `source`; null when it can. */
export function lineObjection(
  source: string,
  text: string,
  languages: { readonly source: string; readonly target: string },
): LineObjection | null {
  if (text === '') return source.trim() === '' ? null : 'empty'
  if (LEFTOVERS.some((pattern) => pattern.test(text) && !pattern.test(source))) return 'leftover'
  const [given, got] = [[...source].length, [...text].length]
  // Chinese, Japanese and Korean need about a third of the characters.
  const dense = DENSE.test(source) === DENSE.test(text) ? 1 : 4
  if (got > given * 4 * dense + SLACK || (given > SLACK && got < (given * 0.2) / dense)) return 'length'
  if (!isInScript(text, languages.target, source)) return 'script'
  const isSame = text.toLowerCase() === source.trim().toLowerCase()
  return isSame && hasWords(source) && baseOf(languages.source) !== baseOf(languages.target) ? 'untranslated' : null
}
