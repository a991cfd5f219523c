// Two implementations of one engine id: the real one answers as soon as its files are here, until then the one that stands in for it.

import type { Device, Engine } from './engine.ts'

type Placed = { readonly placement?: () => { readonly device: Device; readonly reason: string } | null }

/** Asked anew for every description and every run: a download may finish, and a model may be deleted, at any time. */
export function realOrSubstitute(real: Engine & Placed & { readonly isHere: () => boolean }, standIn: Engine): Engine & Placed {
  const current = (): Engine => (real.isHere() ? real : standIn)
  return {
    describe: () => current().describe(),
    load: (model) => current().load(model),
    placement: () => (real.isHere() ? (real.placement?.() ?? null) : null),
    async *run(...request) {
      const engine = current()
      // The host loaded whichever was here first. Loading again is free; a real engine that fails to load is a failure, never a stand-in.
      await engine.load(request[4])
      yield* engine.run(...request)
    },
    unload: async () => {
      await Promise.all([real.unload(), standIn.unload()])
    },
  }
}
