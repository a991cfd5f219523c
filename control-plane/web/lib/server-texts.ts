// The texts of the studio in the language of the page. They are loaded when a view needs one first, and otherwise after the first view.
import type { SentenceId } from '#control-plane/web/messages/sentences.ts'
import type { FailureValues, ServerTexts } from '#control-plane/web/messages/server.ts'
import { useEffect, useState } from './html.ts'

let texts: ServerTexts | null = null
let templates: readonly (readonly [template: readonly string[], translation: readonly string[]])[] = []

let loading: Promise<ServerTexts | null> | null = null
const watchers: Set<() => void> = new Set()

async function load(): Promise<ServerTexts | null> {
  try {
    const [{ server }, { SENTENCES }] = await Promise.all([import('#messages/server.ts'), import('../messages/sentences.ts')])
    const isFirst = texts === null
    texts = server
    templates = Object.entries(server.sentences).map(([id, own]) => [SENTENCES[id as SentenceId].split(NAME), own.split(NAME)])
    if (isFirst) for (const watch of watchers) watch()
  } catch {}
  loading = null
  return texts
}

/** Null if they cannot be loaded. Does not throw. */
export const loadServerTexts = (): Promise<ServerTexts | null> => (loading ??= load())

/** Draws the whole page again when the texts are there; for its root only, so that no view has to ask for it. */
export function useServerTexts() {
  const [, set] = useState(false)
  useEffect(() => {
    const watch = () => set(true)
    if (texts) watch()
    watchers.add(watch)
    return () => void watchers.delete(watch)
  }, [])
}

/** Changes when they are there, for what is computed once. */
export const hasServerTexts = () => texts !== null

/** A view needs them: they are loaded, and the page is drawn again. */
function needed() {
  if (texts === null) void loadServerTexts()
}

/** A field of a value by its name; null for a name that the value does not have itself. */
const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | null =>
  record && Object.hasOwn(record, name) ? record[name]! : null

/**
 * Sentence and way out of a failure; null for a code that has none. `values`: names and figures of the failure
 */
export function failureText(code: string, values: unknown): { sentence: string; hint: string } | null {
  needed()
  const found = own(texts?.failures, code)
  if (!found) return null
  const [sentence, hint] = found
  return { sentence: typeof sentence === 'string' ? sentence : sentence((values ?? {}) as FailureValues), hint }
}

/** Title and help of a setting. */
export function settingText(id: string) {
  needed()
  return own(texts?.settings, id)
}
/** The name of a check. */
export function checkText(id: string) {
  needed()
  return own(texts?.checks, id)
}

const NAME = /\{(\w+)\}/
/** Between two sentences. */
const BETWEEN = /(?<=\.) (?=\p{Lu})/u
/** The value of this name is a sentence or a word of the table itself. */
const INNER = 'reason'

/** Names and figures of a sentence that has the form of a template; null for another one. `template`: text, name, text, name, … */
function valuesIn(sentence: string, [first = '', ...rest]: readonly string[]): Map<string, string> | null {
  if (!sentence.startsWith(first)) return null
  const values = new Map<string, string>()
  let from = first.length
  for (let at = 0; at < rest.length; at += 2) {
    const [name = '', next = ''] = rest.slice(at)
    const isLast = at + 2 >= rest.length
    const to = isLast ? sentence.length - next.length : sentence.indexOf(next, from)
    if (to < from || !sentence.startsWith(next, to)) return null
    values.set(name, sentence.slice(from, to))
    from = to + next.length
  }
  return from === sentence.length ? values : null
}

/** Null without a translation. */
function translated(sentence: string): string | null {
  for (const [template, translation] of templates) {
    const values = valuesIn(sentence, template)
    const inner = values?.get(INNER)
    const own = inner === undefined ? '' : translated(inner)
    if (values && own !== null)
      return translation.map((part, at) => (at % 2 === 0 ? part : part === INNER ? own : (values.get(part) ?? ''))).join('')
  }
  return null
}

/** A sentence of the studio in the language of the page, or several; unchanged without a translation of each. */
export function serverSentence(text: string): string {
  if (text === '') return ''
  needed()
  const own = translated(text)
  if (own !== null) return own
  const all = text.split(BETWEEN).map(translated)
  return all.includes(null) ? text : all.join(' ')
}
