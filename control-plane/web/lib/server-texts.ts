// The texts of the studio in the language of the page. They are loaded after the first view.
import type { SentenceId } from '#control-plane/web/messages/sentences.ts'
import type { FailureValues, ServerTexts } from '#control-plane/web/messages/server.ts'
import { useEffect, useState } from './html.ts'

let texts: ServerTexts | null = null
let templates: readonly (readonly [template: readonly string[], translation: readonly string[]])[] = []

/** Null if they cannot be loaded. Does not throw. */
export async function loadServerTexts(): Promise<ServerTexts | null> {
  try {
    const [{ server }, { SENTENCES }] = await Promise.all([import('#messages/server.ts'), import('../messages/sentences.ts')])
    texts ??= server
    templates = Object.entries(texts.sentences).map(([id, own]) => [SENTENCES[id as SentenceId].split(NAME), own.split(NAME)])
  } catch {}
  return texts
}

/** Draws the component again when the texts are there. */
export function useServerTexts() {
  const [, set] = useState(texts)
  useEffect(() => void loadServerTexts().then(set), [])
}

/** A field of a value by its name; null for a name that the value does not have itself. */
const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | null =>
  record && Object.hasOwn(record, name) ? record[name]! : null

/**
 * Sentence and way out of a failure; null for a code that has none. `values`: names and figures of the failure
 */
export function failureText(code: string, values: unknown): { sentence: string; hint: string } | null {
  const found = own(texts?.failures, code)
  if (!found) return null
  const [sentence, hint] = found
  return { sentence: typeof sentence === 'string' ? sentence : sentence((values ?? {}) as FailureValues), hint }
}

/** Title and help of a setting. */
export const settingText = (id: string) => own(texts?.settings, id)
/** The name of a check. */
export const checkText = (id: string) => own(texts?.checks, id)

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
  const own = translated(text)
  if (own !== null) return own
  const all = text.split(BETWEEN).map(translated)
  return all.includes(null) ? text : all.join(' ')
}
