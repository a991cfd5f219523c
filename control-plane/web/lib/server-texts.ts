// The texts of the studio in the language of the page. They are loaded when a view needs one first, and otherwise after the first view.
import type { FailureValues, ServerTexts } from '#control-plane/web/messages/server.ts'
import { useEffect, useState } from './html.ts'

let texts: ServerTexts | null = null
let translate: ((text: string) => string) | null = null
let loading: Promise<ServerTexts | null> | null = null
let version = 0
const watchers: Set<() => void> = new Set()
/** In a task of its own: what is drawn again finds them. */
function arrived() {
  version++
  for (const watch of watchers) setTimeout(watch)
}

async function load(): Promise<ServerTexts | null> {
  try {
    const [{ server }, { translatorOf }] = await Promise.all([import('#messages/server.ts'), import('../messages/sentence-forms.ts')])
    if (texts === null) arrived()
    texts = server
    translate = translatorOf(server.sentences, arrived)
  } catch {}
  loading = null
  return texts
}

/** Null if they cannot be loaded. Does not throw. */
export const loadServerTexts = (): Promise<ServerTexts | null> => (loading ??= load())

/** Draws the whole page again when the texts are there; for its root only, so that no view has to ask for it. */
export function useServerTexts() {
  const [, set] = useState(version)
  useEffect(() => {
    const watch = () => set(version)
    watch()
    watchers.add(watch)
    return () => void watchers.delete(watch)
  }, [])
}

/** Changes when more of them are there, for what is computed once. */
export const serverTextsVersion = () => version

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

/** A sentence of the studio in the language of the page, or several; unchanged without a translation of each. */
export function serverSentence(text: string): string {
  if (text === '') return ''
  needed()
  return translate ? translate(text) : text
}
