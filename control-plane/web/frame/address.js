// @ts-check
// The address of a page: #/<page>/<object>?<choices>. The server sees only /.
import { useLayoutEffect, useState } from '../lib/html.js'

/** @typedef {{ readonly page: string, readonly object: string, readonly query: URLSearchParams }} Address page: '' is the first page */

/** Addresses of earlier versions. @type {Readonly<Record<string, string>>} */
const MOVED = { workers: 'machines', start: 'setup', tasks: 'jobs' }

/** @param {string} hash with or without #/ @returns {Address} */
export function addressOf(hash) {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2)
  const [page = '', ...object] = path.split('/')
  return {
    page: Object.hasOwn(MOVED, page) ? /** @type {string} */ (MOVED[page]) : page,
    object: object.join('/'),
    query: new URLSearchParams(query),
  }
}

/** A part of an address as it was written, also where its escapes are broken. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address now; the component is drawn again when it changes. @param {(address: Address) => void} [onChange] */
export function useAddress(onChange) {
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

/** The choices that were made, as a query with its question mark; '' without any. Pure. @param {Record<string, string>} choices */
export function queryOf(choices) {
  const query = new URLSearchParams(Object.entries(choices).filter(([, value]) => value !== ''))
  return query.size > 0 ? `?${query}` : ''
}

/** Choices of a page, kept in the address without a step in the history of the browser. @param {Record<string, string>} choices */
export function keepInAddress(choices) {
  const [path = ''] = location.hash.split('?', 1)
  history.replaceState(null, '', `${path || '#/'}${queryOf(choices)}`)
}

/**
 * The choices of a page that are in its address: those of the person, until another address is opened.
 * @template {string} N @param {URLSearchParams} query of the address @param {readonly N[]} names
 * @returns {[Record<N, string>, (more: Partial<Record<N, string>>) => void]}
 */
export function useChoices(query, names) {
  const [made, setMade] = useState(/** @type {{ query: URLSearchParams, choices: Record<N, string> } | null} */ (null))
  const choices =
    made?.query === query
      ? made.choices
      : /** @type {Record<N, string>} */ (Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])))
  return [
    choices,
    (more) => {
      const next = { ...choices, ...more }
      setMade({ query, choices: next })
      keepInAddress(next)
    },
  ]
}
