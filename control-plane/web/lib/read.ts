// Hooks that read a route: once, or again and again. The last value stays while a new one is being read. The first value may be an answer to what
// first.ts has requested before the modules had arrived: each is used once, and none after the first view.
import { get, messageOf } from './api.ts'
import type { Gets } from './api-types.ts'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from './html.ts'

/** value: null until it is answered, and after a failure */
export type FirstRead = { value: unknown; answered: Promise<void> }
/** by path */
export type FirstReads = Map<string, FirstRead>

const SETTLE_MS = 300

const reads: FirstReads = Reflect.get(globalThis, 'studioReads') ?? new Map()

/** True if first.ts reads it for the first view. */
export const isRequested = (path: string) => reads.has(path)
/** All are answered. */
export const answeredFirst = () => Promise.all([...reads.values()].map(({ answered }) => answered))
/** Answer that a route has given already, else null. */
const firstAnswer = <P extends keyof Gets>(path: P) => (reads.get(path)?.value ?? null) as Gets[P] | null

/** Answer of a route, from the first read if there is one. */
export async function getFirst<P extends keyof Gets>(path: P): Promise<Gets[P]> {
  const first = reads.get(path)
  reads.delete(path)
  await first?.answered
  const value = first?.value as Gets[P] | null | undefined
  return value ?? get(path)
}
/** Once it is used. */
const dropFirst = (path: string) => void reads.delete(path)
/** The others are out of date. */
export const dropFirstReads = () => reads.clear()

/** Reads that failed and whose page is shown. */
const failed: Set<() => unknown> = new Set()
/** Reads again what could not be read. For the moment at which a lost connection is back. */
export const readFailedAgain = () => {
  for (const again of [...failed]) again()
}
/** Calls `again` when a lost connection is back, while something has failed. */
export function useAgainAfterFailure(isFailed: boolean, again: () => unknown) {
  useEffect(() => {
    if (!isFailed) return
    failed.add(again)
    return () => void failed.delete(again)
  }, [isFailed, again])
}

/** A route that is read once and whenever `again` is called. `path`: the same for as long as the page is shown */
export function useRead<P extends keyof Gets>(path: P) {
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
  useAgainAfterFailure(state.error !== '', again)
  return { ...state, again }
}

/**
 * A route that is read every `everyMs` while the page is visible, and soon after `hint` has changed; null until there is something to
 * compare. `of`: the path that the value answers, which is the one before until a new one is answered
 */
export function usePolled<P extends keyof Gets>(path: P, everyMs: number, hint?: unknown) {
  const [state, set] = useState(() => ({ value: firstAnswer(path), error: '', of: path }))
  const latest = useRef(0)
  const isReading = useRef(false)
  const reload = useCallback(async () => {
    const mine = ++latest.current
    isReading.current = true
    try {
      const value = await getFirst(path)
      // An answer that a later request overtook is stale.
      if (mine === latest.current) set({ value, error: '', of: path })
    } catch (error) {
      if (mine === latest.current) set((now) => ({ ...now, error: messageOf(error) }))
    }
    if (mine === latest.current) isReading.current = false
  }, [path])
  useLayoutEffect(() => {
    const first = firstAnswer(path)
    dropFirst(path)
    if (first === null) void reload()
    else set((now) => (now.value === first ? now : { value: first, error: '', of: path }))
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
  useAgainAfterFailure(state.error !== '', reload)
  return { ...state, reload }
}
