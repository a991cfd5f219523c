// The samples of designed voices. A sample is rendered once; from then on it is the voice, so that an upgrade of the engine does not change it.
import { rm } from 'node:fs/promises'
import type { Bus } from '#control-plane/events/bus.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { VoicesApi } from '../api.ts'
import { sampleText } from '../design/sample-text.ts'
import type { Blobs } from '../files/blobs.ts'
import type { ProfileStore } from './profile.store.ts'
import type { StoredProfile } from './profile.ts'

const SEED = 42
const STEPS = 32

type Deps = {
  readonly store: ProfileStore
  readonly blobs: Pick<Blobs, 'keepCanonical'>
  readonly renderDesign: VoicesApi['renderDesign']
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
}
export type Samples = ReturnType<typeof createSamples>

export function createSamples({ store, blobs, renderDesign, bus, clock }: Deps) {
  return {
    /**
     * The profile with its recording: the sample of a design is rendered if it has none. Throws NOT_FOUND for an unknown id, NOT_FOUND for a
     * clone without a recording, and what `renderDesign` throws.
     */
    async ensure(id: string, signal: AbortSignal): Promise<StoredProfile> {
      for (;;) {
        const profile = store.find(id)
        if (!profile) throw new Failure('NOT_FOUND', 'Profile not found')
        if (profile.refDigest !== null) return profile
        if (profile.kind === 'clone') throw new Failure('NOT_FOUND', 'No audio available')
        const { instruct, language } = profile
        const text = sampleText(language, instruct)
        const { path, madeWith } = await renderDesign({ instruct, language, text, seed: SEED, steps: STEPS }, signal)
        try {
          const { blob, quality } = await blobs.keepCanonical(path, signal)
          // False if another caller was faster, or if the description has changed meanwhile; then the next pass decides.
          if (store.addSample(id, instruct, { ref: blob, original: null, name: '', text, quality, madeWith }, clock.now()))
            bus.publish({ kind: 'profiles', action: 'updated', id })
        } finally {
          await rm(path, { force: true })
        }
      }
    },
  }
}
