// Reads the media, texts and tracks of a dub.
import { createReadStream } from 'node:fs'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { trackForm } from '#control-plane/features/dubbing/store/forms.rules.ts'
import type { Ranged } from '#control-plane/http/contract/respond.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { requireLanguage } from './language.schema.ts'
import { wavView } from './wav-view.ts'

/** By the end of the name of the upload: what browsers play. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mp4: 'video/mp4',
    m4v: 'video/mp4',
    mov: 'video/quicktime',
    webm: 'video/webm',
    mkv: 'video/x-matroska',
    avi: 'video/x-msvideo',
    ts: 'video/mp2t',
    wav: 'audio/wav',
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    aac: 'audio/aac',
    flac: 'audio/flac',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    wma: 'audio/x-ms-wma',
  }),
)
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'dub'>
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
}

/** Every function throws NOT_FOUND for an unknown dub, and for what it does not have. */
export function createDubReading({ core: { store, files, dub: dubOf }, requireSound }: Deps) {
  const fileAt = async (digest: string | null, missing: string): Promise<Ranged> => {
    const file = digest === null ? null : await files.find(digest)
    if (!file) throw new Failure('NOT_FOUND', missing)
    const path = files.pathOf(file.digest)
    return { size: file.bytes, read: (start, end) => createReadStream(path, { start, end, highWaterMark: 256 * 1024 }) }
  }
  return {
    async media(id: string): Promise<Ranged & { readonly type: string }> {
      const { sourceDigest, filename } = dubOf(id)
      const type = TYPES.get(filename.toLowerCase().split('.').at(-1)!) ?? 'application/octet-stream'
      return { ...(await fileAt(sourceDigest, 'The film of this dub was deleted. Upload it again.')), type }
    },
    async audio(id: string, signal: AbortSignal): Promise<Ranged> {
      const { sound } = dubOf(id)
      if (!sound) throw new Failure('NOT_FOUND', 'The sound of this dub is not extracted yet.')
      await requireSound(id, signal)
      return wavView(files.pathOf(sound.sound))
    },
    thumb: (id: string) => fileAt(dubOf(id).thumb, 'This dub has no still picture.'),
    tracks(id: string) {
      dubOf(id)
      return { tracks: Object.fromEntries(store.tracks.heads(id).map((track) => [track.languageCode, trackForm(track, files.pathOf)])) }
    },
    /** Throws BAD_REQUEST for a wrong code. */
    texts(id: string, language: string) {
      requireLanguage(language)
      dubOf(id)
      return { texts: store.segments.texts(id, language) }
    },
  }
}
