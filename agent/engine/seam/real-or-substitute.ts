// Two implementations of one engine id: the real one runs once its files are downloaded, until then the substitute.

import type { Device, Engine } from './engine.ts'

type Placed = { readonly placement?: (() => { readonly device: Device; readonly reason: string } | null) | undefined }

/** Chosen for every description and every run, because a model may be downloaded or deleted at any time. */
export function realOrSubstitute(real: Engine & Placed & { readonly isDownloaded: () => boolean }, substitute: Engine): Engine & Placed {
  const current = (): Engine => (real.isDownloaded() ? real : substitute)
  return {
    describe: () => current().describe(),
    load: (model) => current().load(model),
    placement: () => (real.isDownloaded() ? (real.placement?.() ?? null) : null),
    async *run(...request) {
      const engine = current()
      // The host may have loaded the other one; loading twice costs nothing. The substitute never replaces a real engine that fails to
      // load.
      await engine.load(request[4])
      yield* engine.run(...request)
    },
    forgetVoices: (owner, digests) => {
      real.forgetVoices?.(owner, digests)
      substitute.forgetVoices?.(owner, digests)
    },
    unload: async () => {
      await Promise.all([real.unload(), substitute.unload()])
    },
  }
}
