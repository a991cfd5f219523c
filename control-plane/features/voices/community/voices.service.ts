// Recordings of community voices: downloaded for each use, and compared with the digest that the manifest states or that was seen first.
import { createHash } from 'node:crypto'
import { createPlaces } from '#control-plane/clients/places.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { PublicFetch } from './fetching/public-fetch.ts'
import type { VoiceItem } from './manifest.schema.ts'
import type { CommunityPins } from './pins.store.ts'

const CLIP_BYTES = 32 * 1024 * 1024
const CLIP_MS = 30_000
/** Downloads of one client at the same time; each is in memory. */
const PER_CLIENT = 2

type Deps = { readonly fetch: PublicFetch; readonly pins: CommunityPins; readonly clock: Pick<Clock, 'now'> }
export type CommunityVoices = ReturnType<typeof createCommunityVoices>

export function createCommunityVoices({ fetch, pins, clock }: Deps) {
  const places = createPlaces({ perClient: PER_CLIENT, what: 'voices that are downloaded' })
  return {
    pinOf: ({ id, audio, _source_repo: source }: VoiceItem): VoiceItem['pinned'] =>
      audio.sha256 !== null ? 'source' : pins.find(source, id) !== null ? 'first_download' : null,
    /** The bytes of a WAV file. Throws DOWNLOAD_REFUSED, QUEUE_FULL, STORAGE_FULL, and the reason of the signal. */
    download: ({ id, audio, _source_repo: source }: VoiceItem, signal: AbortSignal): Promise<Buffer> =>
      places.hold(async () => {
        const { body } = await fetch(audio.url, { bytes: CLIP_BYTES, ms: CLIP_MS, signal })
        if (body.toString('latin1', 0, 4) !== 'RIFF' || body.toString('latin1', 8, 12) !== 'WAVE')
          throw new Failure('DOWNLOAD_REFUSED', 'The file of this voice is no WAV.')
        const digest = createHash('sha256').update(body).digest('hex')
        const pinned = pins.find(source, id)
        if ((audio.sha256 ?? pinned ?? digest) !== digest)
          throw new Failure(
            'DOWNLOAD_REFUSED',
            audio.sha256 === null
              ? 'The file of this voice has changed since it was downloaded first, so it is not used.'
              : 'The file of this voice does not have the SHA-256 that its source states, so it is not used.',
          )
        if (audio.sha256 === null && pinned === null) pins.add({ source, itemId: id, digest, url: audio.url, at: clock.now() })
        return body
      }),
  }
}
