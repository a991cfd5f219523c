// The clips of the gallery: added, changed, deleted, and made into profiles.

import { currentViewer } from '#control-plane/clients/client.ts'
import type { NewProfile, VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import type { Ranged } from '#control-plane/http/contract/respond.ts'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import { createSharedWork } from '#control-plane/kernel/shared-work.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import type { StorageRoom } from '#control-plane/store/files/storage-room.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { clipTagsOf, readTags } from './gallery.rules.ts'
import type { ClipChanges, GalleryClip, UploadForm } from './gallery.schema.ts'
import type { ClipQuery, GalleryStore, StoredClip } from './gallery.store.ts'
import { keepRecording } from './recordings.ts'
import type { VideoClip, Videos } from './videos/videos.service.ts'

const MAX_CLIPS = 200_000

type Deps = {
  readonly store: GalleryStore
  readonly makers: Pick<Makers, 'record' | 'isHidden' | 'hidesSome'>
  readonly voices: Pick<VoicesApi, 'create' | 'byOrigin'>
  readonly videos: Videos
  readonly intake: Pick<Intake, 'read'>
  readonly artifacts: Pick<LocalArtifacts, 'keep' | 'renew' | 'pathOf' | 'read'>
  readonly room: StorageRoom
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
  /** Aborts when the studio stops. */
  readonly stopping: AbortSignal
}
export type Gallery = ReturnType<typeof createGallery>
export type ClipAudio = { readonly type: string; readonly body: Ranged }
type Made = { readonly profile_id: string; readonly name: string }
type Labels = Pick<StoredClip, 'name' | 'character' | 'category' | 'description'>
type Source = Pick<StoredClip, 'source_type' | 'source_url' | 'original_name' | 'stays_here'>

/** The functions that take an id throw NOT_FOUND. Those that write throw STORAGE_FULL. */
export function createGallery({ store, makers, voices, videos, intake, artifacts, room, clock, random, stopping }: Deps) {
  const work = createSharedWork<Made>()

  function found(id: string): StoredClip {
    const clip = store.find(id)
    if (clip === null || makers.isHidden('clip', id)) throw new Failure('NOT_FOUND', 'This clip does not exist. It may have been deleted.')
    return clip
  }
  const publicClip = ({ audio_digest, tags, created_at, ...clip }: StoredClip): GalleryClip => ({
    id: clip.id,
    name: clip.name,
    character: clip.character,
    category: clip.category,
    source_type: clip.source_type,
    source_url: clip.source_url,
    audio_path: artifacts.pathOf(audio_digest),
    duration: clip.duration,
    description: clip.description,
    thumbnail: clip.thumbnail,
    tags: readTags(tags),
    is_favorite: clip.is_favorite,
    created_at: created_at / 1000,
    stays_here: clip.stays_here,
  })
  function checkRoom(): void {
    if (store.count() >= MAX_CLIPS)
      throw new Failure('CONFLICT', `There are already ${MAX_CLIPS} clips in the gallery. Delete those that are not needed.`)
  }
  async function add(labels: Labels, source: Source, path: string, madeBy: ClientId, signal: AbortSignal): Promise<GalleryClip> {
    const recording = await keepRecording({ intake, artifacts, room }, path, signal)
    let id = random.hex(4)
    while (store.find(id) !== null) id = random.hex(4)
    const tags = JSON.stringify(clipTagsOf(labels.character, labels.category))
    const clip: StoredClip = { id, ...labels, ...source, ...recording, tags, thumbnail: null, is_favorite: 0, created_at: clock.now() }
    makers.record('clip', id, madeBy)
    store.add(clip)
    return publicClip(clip)
  }
  async function makeProfile(clip: StoredClip, name: string, madeBy: ClientId, signal: AbortSignal): Promise<Made> {
    const profile = await voices.create({ ...profileOf(clip, name, artifacts.pathOf(clip.original_digest)), madeBy }, signal)
    return { profile_id: profile.id, name: profile.name }
  }

  return {
    list: (query: Omit<ClipQuery, 'viewer'>): GalleryClip[] =>
      store.list({ ...query, viewer: makers.hidesSome() ? currentViewer() : null }).map(publicClip),
    read: (id: string): GalleryClip => publicClip(found(id)),
    /** Throws BODY_TOO_LARGE and BAD_REQUEST for the recording, CONFLICT for too many clips. */
    async upload(form: UploadForm, { path, filename }: Upload, madeBy: ClientId, signal: AbortSignal) {
      checkRoom()
      const source: Source = { source_type: 'upload', source_url: null, original_name: bareName(filename), stays_here: 0 }
      const { id, name, audio_path, duration } = await add(form, source, path, madeBy, signal)
      return { id, name, audio_path, duration }
    },
    /** Throws what the download throws, and CONFLICT for too many clips. */
    async download(wanted: VideoClip & Omit<Labels, 'name'>, madeBy: ClientId, signal: AbortSignal) {
      checkRoom()
      const { character, category, description } = wanted
      const labels = { name: character, character, category, description }
      return videos.withClip(wanted, signal, async ({ path, url }) => {
        // There is no statement of a speaker.
        const source: Source = { source_type: 'youtube', source_url: url, original_name: bareName(path), stays_here: 1 }
        const { id, audio_path, duration } = await add(labels, source, path, madeBy, signal)
        return { success: true as const, voice_id: id, audio_path, duration }
      })
    },
    /** The names of the fields that were sent. */
    change(id: string, { name, tags, is_favorite, description }: ClipChanges): string[] {
      const clip = found(id)
      const changed = {
        ...(name !== undefined && { name }),
        ...(tags !== undefined && { tags: JSON.stringify(tags) }),
        ...(is_favorite !== undefined && { is_favorite: is_favorite ? (1 as const) : (0 as const) }),
        ...(description !== undefined && { description }),
      }
      if (Object.keys(changed).length > 0) store.replace({ ...clip, ...changed })
      return Object.keys(changed)
    },
    remove(id: string): void {
      if (store.remove([id]) === 0) found(id)
    },
    removeMany: (ids: readonly string[]): { deleted: number; failed?: number } =>
      ids.length === 0 ? { deleted: 0 } : { deleted: store.remove(ids), failed: 0 },
    preview(id: string): ClipAudio {
      const clip = found(id)
      const [type, digest, bytes] =
        clip.original_type === null
          ? ['audio/wav', clip.audio_digest, clip.audio_bytes]
          : [clip.original_type, clip.original_digest, clip.original_bytes]
      return { type, body: { size: bytes, read: (from, to) => artifacts.read(digest, from, to) } }
    },
    saveAsProfile: (id: string, name: string, madeBy: ClientId, signal: AbortSignal): Promise<Made> =>
      makeProfile(found(id), name, madeBy, signal),
    /** The oldest profile of the clip; a new one if there is none. It is completed when the caller leaves. */
    async toProfile(id: string, madeBy: ClientId): Promise<Made> {
      const clip = found(id)
      const origin = originOf(clip)
      const existing = voices.byOrigin(origin)
      if (existing) return { profile_id: existing.id, name: existing.name }
      return work.join(origin, () => makeProfile(clip, clip.name, madeBy, stopping), null)
    },
    search: videos.search,
  }
}

const originOf = ({ id }: StoredClip): string => `gallery:${id}`

const profileOf = (clip: StoredClip, name: string, path: string): Omit<NewProfile, 'madeBy'> => ({
  name,
  kind: 'clone',
  language: 'Auto',
  instruct: '',
  refText: '',
  personality: originOf(clip),
  description: clip.description,
  attributes: null,
  seed: null,
  origin: originOf(clip),
  originUrl: clip.source_url ?? '',
  staysHere: clip.stays_here === 1,
  recording: { path, name: clip.original_name },
  madeWith: null,
  locked: null,
  portrait: null,
  statement: null,
})
