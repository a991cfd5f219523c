// @ts-check
// Hooks that read a route: once, or again and again. The last value stays while a new one is being read. The first value may be an answer to what
// first.js has requested before the modules had arrived: each is used once, and none after the first view.
import { get, messageOf } from './api.js'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from './html.js'

/** @import { Gets } from './api-types.ts' */
/** @typedef {{ value: unknown, answered: Promise<void> }} FirstRead value: null until it is answered, and after a failure */
/** @typedef {Map<string, FirstRead>} FirstReads by path */

const SETTLE_MS = 300

/** @type {FirstReads} */
const reads = Reflect.get(globalThis, 'studioReads') ?? new Map()

/** Whether first.js reads it for the first view. @param {string} path */
export const isRequested = (path) => reads.has(path)
/** All are answered. */
export const answeredFirst = () => Promise.all([...reads.values()].map(({ answered }) => answered))
/** What a route has answered already, else null. @template {keyof Gets} P @param {P} path */
const firstAnswer = (path) => /** @type {Gets[P] | null} */ (reads.get(path)?.value ?? null)

/** What a route answers: with the first read where there is one. @template {keyof Gets} P @param {P} path @returns {Promise<Gets[P]>} */
export async function getFirst(path) {
  const first = reads.get(path)
  reads.delete(path)
  await first?.answered
  const value = /** @type {Gets[P] | null | undefined} */ (first?.value)
  return value ?? get(path)
}
/** Once it is used. @param {string} path */
const dropFirst = (path) => void reads.delete(path)
/** The others are out of date. */
export const dropFirstReads = () => reads.clear()

/**
 * A route that is read once and whenever `again` is called.
 * @template {keyof Gets} P
 * @param {P} path the same for as long as the page is shown
 */
export function useRead(path) {
  const [state, setState] = useState(() => {
    const value = firstAnswer(path)
    return { value, error: '', reading: value === null }
  })
  const newest = useRef(0)
  const again = useCallback(async () => {
    const mine = ++newest.current
    setState((now) => ({ ...now, reading: true }))
    try {
      const value = await getFirst(path)
      if (mine === newest.current) setState({ value, error: '', reading: false })
    } catch (error) {
      if (mine === newest.current) setState((now) => ({ ...now, error: messageOf(error), reading: false }))
    }
  }, [])
  // Before the first drawing, so that the studio answers while the browser draws.
  useLayoutEffect(() => (state.value === null ? void again() : dropFirst(path)), [])
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
  const [state, set] = useState(() => ({ value: firstAnswer(path), error: '' }))
  const latest = useRef(0)
  const isReading = useRef(false)
  const reload = useCallback(async () => {
    const mine = ++latest.current
    isReading.current = true
    try {
      const value = await getFirst(path)
      // An answer that a later request overtook is stale.
      if (mine === latest.current) set({ value, error: '' })
    } catch (error) {
      if (mine === latest.current) set((now) => ({ ...now, error: messageOf(error) }))
    }
    if (mine === latest.current) isReading.current = false
  }, [path])
  useLayoutEffect(() => {
    const first = firstAnswer(path)
    dropFirst(path)
    if (first === null) void reload()
    else set((now) => (now.value === first ? now : { value: first, error: '' }))
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
