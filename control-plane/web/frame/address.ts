// The address of a page: #/<page>/<object>?<choices>. The server sees only /.
import { useLayoutEffect, useState } from '../lib/html.ts'

/** page: '' is the first page */
export type Address = { readonly page: string; readonly object: string; readonly query: URLSearchParams }

/** Addresses of earlier versions. */
const MOVED: Readonly<Record<string, string>> = { workers: 'machines', start: 'setup', tasks: 'jobs' }

/** `hash`: with or without #/ */
export function addressOf(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  const [page = '', ...object] = path.split('/')
  return {
    page: Object.hasOwn(MOVED, page) ? (MOVED[page] as string) : page,
    object: object.join('/'),
    query: new URLSearchParams(query),
  }
}

/** A part of an address as it was written, also where its escapes are broken. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address now; the component is drawn again when it changes. */
export function useAddress(onChange?: (address: Address) => void) {
  const [address, setAddress] = useState(() => addressOf(location.hash))
  // At once: an address that changes before the first drawing would be missed.
  useLayoutEffect(() => {
    const navigate = () => {
      const next = addressOf(location.hash)
      setAddress(next)
      onChange?.(next)
    }
    addEventListener('hashchange', navigate)
    return () => removeEventListener('hashchange', navigate)
  }, [])
  return address
}

/** The choices that were made, as a query with its question mark; '' without any. Pure. */
export function queryOf(choices: Record<string, string>) {
  const query = new URLSearchParams(Object.entries(choices).filter(([, value]) => value !== ''))
  return query.size > 0 ? `?${query}` : ''
}

/** Choices of a page, kept in the address without a step in the history of the browser. */
export function keepInAddress(choices: Record<string, string>) {
  const [path = ''] = location.hash.split('?', 1)
  history.replaceState(null, '', `${path || '#/'}${queryOf(choices)}`)
}

/** The choices of a page that are in its address: those of the person, until another address is opened. `query`: of the address */
export function useChoices<N extends string>(
  query: URLSearchParams,
  names: readonly N[],
): [Record<N, string>, (more: Partial<Record<N, string>>) => void] {
  const [made, setMade] = useState<{ query: URLSearchParams; choices: Record<N, string> } | null>(null)
  const choices =
    made?.query === query ? made.choices : (Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<N, string>)
  return [
    choices,
    (more) => {
      const next = { ...choices, ...more }
      setMade({ query, choices: next })
      keepInAddress(next)
    },
  ]
}
