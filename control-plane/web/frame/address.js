// @ts-check
// The address of a page: #/<page>/<object>?<choices>. The server sees only /.
import { useEffect, useState } from '../lib/html.js'

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

/** The address now; the component is drawn again when it changes. @param {(address: Address) => void} [onChange] */
export function useAddress(onChange) {
  const [address, setAddress] = useState(() => addressOf(location.hash))
  useEffect(() => {
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

/** Choices of a page, kept in the address without a step in the history of the browser. @param {Record<string, string>} choices */
export function keepInAddress(choices) {
  const [path = ''] = location.hash.split('?', 1)
  const query = new URLSearchParams(Object.entries(choices).filter(([, value]) => value !== ''))
  history.replaceState(null, '', `${path || '#/'}${query.size > 0 ? `?${query}` : ''}`)
}
