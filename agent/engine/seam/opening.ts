// Opens the resources of an engine once for concurrent runs, and again after a failure.
import type { Device, EnginePlacement } from './engine.ts'

export type Opening<T> = {
  readonly load: () => Promise<T>
  /** Null until it is open. */
  readonly opened: () => T | null
  /** May be called while it opens. Never rejects: resources that failed to open need no closing. */
  readonly unload: () => Promise<void>
}

export function openOnce<T>(open: () => Promise<T>, close: (opened: T) => Promise<void>): Opening<T> {
  let loading: Promise<T> | null = null
  let current: T | null = null
  async function begin(): Promise<T> {
    try {
      current = await open()
      return current
    } catch (error) {
      loading = null
      throw error
    }
  }
  return {
    load: () => (loading ??= begin()),
    opened: () => current,
    async unload() {
      const ending = loading
      loading = null
      current = null
      const opened = await ending?.catch(() => null)
      current = null
      if (opened) await close(opened)
    },
  }
}

/**
 * The same for an engine with several models that holds one: loading another one closes the previous one. No run may still use the previous
 * model; the engine's single permit guarantees that.
 */
export type ModelOpening<T> = Omit<Opening<T>, 'load'> & { readonly load: (model?: string) => Promise<T> }
export function openPerModel<T>(open: (model: string) => Promise<T>, close: (opened: T) => Promise<void>): ModelOpening<T> {
  let held: { readonly model: string; readonly opening: Opening<T> } | null = null
  let queue: Promise<unknown> = Promise.resolve()
  const enqueue = <R>(step: () => Promise<R>): Promise<R> => {
    const mine = queue.then(step)
    queue = mine.catch(() => {})
    return mine
  }
  return {
    load: (model = '') =>
      enqueue(async () => {
        if (held?.model !== model) {
          await held?.opening.unload()
          held = { model, opening: openOnce(() => open(model), close) }
        }
        return await held.opening.load()
      }),
    opened: () => held?.opening.opened() ?? null,
    unload: () => enqueue(async () => held?.opening.unload()),
  }
}

/** The placement of an engine whose main graph is `graph`. */
export const placementOf = (graph: { readonly device: string; readonly reason: string } | undefined): EnginePlacement | null =>
  graph ? { device: graph.device as Device, reason: graph.reason } : null
