// @ts-check
// Hooks that read a route: once, or again and again. The last value stays while a new one is being read.
import { get, messageOf } from './api.js'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from './html.js'

/** @import { Gets } from './api-types.ts' */

const SETTLE_MS = 300

/**
 * A route that is read once and whenever `again` is called.
 * @template {keyof Gets} P
 * @param {P} path the same for as long as the page is shown
 */
export function useRead(path) {
  const [state, setState] = useState({ value: /** @type {Gets[P] | null} */ (null), error: '', reading: true })
  const newest = useRef(0)
  const again = useCallback(async () => {
    const mine = ++newest.current
    setState((now) => ({ ...now, reading: true }))
    try {
      const value = await get(path)
      if (mine === newest.current) setState({ value, error: '', reading: false })
    } catch (error) {
      if (mine === newest.current) setState((now) => ({ ...now, error: messageOf(error), reading: false }))
    }
  }, [])
  // Before the first drawing, so that the studio answers while the browser draws.
  useLayoutEffect(() => void again(), [])
  return { ...state, again }
}

/**
 * A route that is read every `everyMs` while the page is visible, and soon after `hint` has changed; null until there is something to compare.
 * @template {keyof Gets} P
 * @param {P} path
 * @param {number} everyMs
 * @param {unknown} [hint]
 */
export function usePolled(path, everyMs, hint) {
  const [state, set] = useState({ value: /** @type {Gets[P] | null} */ (null), error: '' })
  const latest = useRef(0)
  const isReading = useRef(false)
  const reload = useCallback(async () => {
    const mine = ++latest.current
    isReading.current = true
    try {
      const value = await get(path)
      // An answer that a later request overtook is stale.
      if (mine === latest.current) set({ value, error: '' })
    } catch (error) {
      if (mine === latest.current) set((now) => ({ ...now, error: messageOf(error) }))
    }
    if (mine === latest.current) isReading.current = false
  }, [path])
  useLayoutEffect(() => {
    void reload()
    const timer = setInterval(() => document.hidden || isReading.current || void reload(), everyMs)
    return () => {
      latest.current++
      clearInterval(timer)
    }
  }, [reload, everyMs])
  const before = useRef(hint)
  useEffect(() => {
    const isNews = before.current !== null && before.current !== hint
    before.current = hint
    if (!isNews) return
    const timer = setTimeout(reload, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [hint])
  return { ...state, reload }
}
