// The visitor of the page as the studio sees it: which pages work, and whether signing out is possible.
import { request } from './lib/api.ts'
import { startLive, stopLive } from './lib/live.ts'

const meta = (name: string) => globalThis.document?.querySelector(`meta[name="${name}"]`)?.getAttribute('content')

/** True if the pages that administer work: on the studio's own machine, or with a sign-in if the owner allows it. */
export const mayAdminister = meta('studio-rights') === 'admin'
/** The role of a person who signed in with a key of its own; `owner` for the owner of the studio, '' for others. */
const role = globalThis.document?.documentElement.dataset['role'] ?? ''
/** True if the pages that give and end keys work. */
export const mayOwn = /^own/.test(role)
/** True if nothing may be made or changed. */
export const isListener = role === 'listen'
/** True if the browser has the cookie of a sign-in. */
export const isSignedIn = meta('studio-sign-in') === 'cookie'

/** True if the studio runs for development, with the page that shows the components. */
export const isDevelopment = meta('studio-development') === 'yes'

/** Languages of the pages: tag and name. */
export const languages: readonly (readonly [string, string])[] = Object.entries(JSON.parse(meta('studio-languages') ?? '{}'))
const YEAR_SECONDS = 365 * 86_400
/** Shows the pages in this language, now and later in this browser. Drafts outlive it as they do a reload. */
export function chooseLanguage(tag: string) {
  // The studio reads it when it sends the page.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS.
  document.cookie = `studio-language=${tag}; path=${new URL('.', location.href).pathname}; max-age=${YEAR_SECONDS}; samesite=strict`
  location.reload()
}

/** The database of recorded statements that were not sent: the voice of a person. */
export const STATEMENTS = 'voice-studio-statements'

export async function signOut() {
  // The server ends the stream with the session, and the page would connect again without one.
  stopLive()
  try {
    await request('DELETE', '/api/auth/session')
  } catch (error) {
    startLive()
    throw error
  }
  indexedDB.deleteDatabase(STATEMENTS)
  location.reload()
}
