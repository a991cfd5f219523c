// References inside an archive. Pure.
import { composed } from '#shared/text/unicode/compose.ts'

export type Href = {
  /** From the root of the archive, in NFC and lower case, as `unzip` names its members. */
  readonly path: string
  /** Empty without one. */
  readonly fragment: string
}

/** `base`: path of the document that contains the reference; empty for the root. Null for an address outside of the archive. */
export function resolveHref(base: string, href: string): Href | null {
  const trimmed = href.trim()
  if (/^[a-z][a-z0-9+.-]{1,30}:/i.test(trimmed)) return null
  const hash = trimmed.indexOf('#')
  const reference = decoded(hash < 0 ? trimmed : trimmed.slice(0, hash))
  const fragment = hash < 0 ? '' : decoded(trimmed.slice(hash + 1))
  if (reference === '') return { path: base, fragment }
  const parts = reference.startsWith('/') ? [] : base.split('/').slice(0, -1)
  for (const part of reference.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return { path: composed(parts.join('/')).toLowerCase(), fragment }
}

/** Percent signs are decoded once; a malformed one stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
