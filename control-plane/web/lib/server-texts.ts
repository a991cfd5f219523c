// The texts of the studio in the language of the page. They are loaded after the first view.
import type { ServerTexts } from '#control-plane/web/messages/server.ts'

let texts: ServerTexts | null = null

/** Null if they cannot be loaded. Does not throw. */
export async function loadServerTexts(): Promise<ServerTexts | null> {
  texts ??= await import('#messages/server.ts').then(
    (module) => module.server,
    () => null,
  )
  return texts
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
  const named = typeof values === 'object' && values !== null ? Object.fromEntries(Object.entries(values).filter(isPlain)) : {}
  const [sentence, hint] = found
  return { sentence: typeof sentence === 'string' ? sentence : sentence(named), hint }
}
const isPlain = ([, value]: [string, unknown]) => typeof value === 'string' || typeof value === 'number'

/** Title and help of a setting. */
export const settingText = (id: string) => own(texts?.settings, id)
/** The name of a check. */
export const checkText = (id: string) => own(texts?.checks, id)
