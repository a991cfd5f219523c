// What an engine opens before its first run: once, however many runs ask at the same time, and again after it failed.
import type { Device, EnginePlacement } from './engine.ts'

export type Opening<T> = {
  readonly load: () => Promise<T>
  /** Null until it is open. */
  readonly opened: () => T | null
  /** Also while it is being opened. Never rejects: what did not open needs no closing. */
  readonly unload: () => Promise<void>
}

export function openOnce<T>(open: () => Promise<T>, close: (opened: T) => Promise<void>): Opening<T> {
  let loading: Promise<T> | null = null
  let here: T | null = null
  async function begin(): Promise<T> {
    try {
      here = await open()
      return here
    } catch (error) {
      loading = null
      throw error
    }
  }
  return {
    load: () => (loading ??= begin()),
    opened: () => here,
    async unload() {
      const ending = loading
      loading = null
      here = null
      const opened = await ending?.catch(() => null)
      here = null
      if (opened) await close(opened)
    },
  }
}

/**
 * The same for an engine of several models, of which it holds one: asking for another closes the one before. Whoever asked for that one must
 * be through with it, which the engine's single permit sees to.
 */
export type ModelOpening<T> = Omit<Opening<T>, 'load'> & { readonly load: (model?: string) => Promise<T> }
export function openPerModel<T>(open: (model: string) => Promise<T>, close: (opened: T) => Promise<void>): ModelOpening<T> {
  let held: { readonly model: string; readonly opening: Opening<T> } | null = null
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <R>(step: () => Promise<R>): Promise<R> => {
    const mine = turn.then(step)
    turn = mine.catch(() => {})
    return mine
  }
  return {
    load: (model = '') =>
      inTurn(async () => {
        if (held?.model !== model) {
          await held?.opening.unload()
          held = { model, opening: openOnce(() => open(model), close) }
        }
        return await held.opening.load()
      }),
    opened: () => held?.opening.opened() ?? null,
    unload: () => inTurn(async () => held?.opening.unload()),
  }
}

/** Where a graph runs, in the words of the engines. */
export const placementOf = (graph: { readonly device: string; readonly reason: string } | undefined): EnginePlacement | null =>
  graph ? { device: graph.device as Device, reason: graph.reason } : null
