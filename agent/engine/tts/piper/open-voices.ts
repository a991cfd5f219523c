// Networks of the voices that spoke last stay open: with two voices in turn, such as those of a dialogue, each line would otherwise load a network.

import { type Opening, openOnce } from '#agent/engine/seam/opening.ts'

const MAX_OPEN = 3

/** No run may use a voice while another one is loaded; the single permit of the engine guarantees that. */
export function createOpenVoices<T>(open: (model: string) => Promise<T>, close: (opened: T) => Promise<void>) {
  /** The one that was used last comes last. */
  const openings = new Map<string, Opening<T>>()
  return {
    async load(model: string): Promise<T> {
      const opening = openings.get(model) ?? openOnce(() => open(model), close)
      openings.delete(model)
      openings.set(model, opening)
      for (const [oldest, other] of [...openings].slice(0, -MAX_OPEN)) {
        openings.delete(oldest)
        await other.unload()
      }
      return await opening.load()
    },
    isOpen: (): boolean => [...openings.values()].some((opening) => opening.opened() !== null),
    async unload(): Promise<void> {
      const all = [...openings.values()]
      openings.clear()
      await Promise.all(all.map((opening) => opening.unload()))
    },
  }
}
