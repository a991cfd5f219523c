// Exports of a dub: each choice becomes one file of the store, which is sent or saved at a place that the owner has chosen.

import { requireLanguage } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { SoundFileFormat } from '#control-plane/media/film/export/plan.ts'
import { checkDestination, copyFile, makeFolderFor } from '#control-plane/store/files/copy-file.ts'
import type { PathAuthorizations } from '#control-plane/store/files/path-authorization.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { ExportedFile } from './export-files.ts'
import type { createFilmExports } from './film-export.service.ts'
import { selectTracks, soundTrack } from './selection.rules.ts'
import type { SoundExports } from './sound-export.service.ts'

export type DownloadChoice = {
  readonly include: string
  readonly defaultTrack: string
  readonly preserveBackground: boolean
  readonly burn: boolean
  readonly dual: boolean
  /** Format for dubs without a picture; `m4a` for an unknown one. */
  readonly format: string
}
type Deps = {
  readonly core: Pick<DubCore, 'plans' | 'dub'>
  readonly films: ReturnType<typeof createFilmExports>
  readonly sounds: SoundExports
  readonly authorizations: Pick<PathAuthorizations, 'claim'>
  readonly dataDir: string
  readonly random: Pick<Random, 'hex'>
}
const FORMATS: readonly SoundFileFormat[] = ['wav', 'm4a', 'mp3', 'flac']
const KBPS = 192

export function createDubExports({ core: { plans, dub: dubOf }, films, sounds, authorizations, dataDir, random }: Deps) {
  return {
    /** The dubbed film, or the sound of a dub without a picture. Throws NOT_FOUND, BAD_REQUEST, CONFLICT, and as `ExportFiles.obtain`. */
    async download(id: string, choice: DownloadChoice, signal: AbortSignal): Promise<ExportedFile> {
      const dub = dubOf(id)
      const tracks = await plans.of(id)
      const selection = selectTracks(
        tracks.map(({ languageCode }) => languageCode),
        choice,
      )
      const { preserveBackground, burn, dual } = choice
      if (dub.inputType === 'video' && dub.probe?.video !== null)
        return await films.read(dub, tracks, { selection, preserveBackground, burn, dual, isPreview: false }, signal)
      const format = FORMATS.find((one) => one === choice.format.toLowerCase()) ?? 'm4a'
      const track = tracks.find(({ languageCode }) => languageCode === soundTrack(selection))
      return track
        ? await sounds.ofTrack(dub, track, { preserveBackground, format, kbps: KBPS }, signal)
        : await sounds.ofOriginal(dub, { format, kbps: KBPS }, signal)
    },
    /** The film with one track as its only sound. Throws NOT_FOUND without this track, and as `download`. */
    async preview(id: string, lang: string, preserveBackground: boolean, signal: AbortSignal): Promise<ExportedFile> {
      requireLanguage(lang)
      const dub = dubOf(id)
      const tracks = await plans.of(id)
      if (!tracks.some(({ languageCode }) => languageCode === lang))
        throw new Failure('NOT_FOUND', `This dub has no voice track in ${lang}. Generate it first.`)
      const selection = { codes: [lang], first: lang }
      return await films.read(dub, tracks, { selection, preserveBackground, burn: false, dual: false, isPreview: true }, signal)
    },
    /**
     * The place of an authorization, which is used up. Throws FORBIDDEN for the authorization, BAD_REQUEST for its place.
     */
    async destinationOf(authorization: string): Promise<string> {
      const destination = authorizations.claim(authorization, 'dub_export')
      await makeFolderFor(destination, dataDir)
      checkDestination(destination, dataDir)
      return destination
    },
    /** Copies a finished export there, completely or not at all. Throws STORAGE_FULL, BAD_REQUEST, and the reason of the signal. */
    async save({ path, file, type, name, warning }: ExportedFile, destination: string, signal: AbortSignal) {
      await copyFile(path, destination, random.hex(8), signal)
      return { saved: true, path: destination, size: file.size, media_type: type, display_name: name, ...(warning && { warning }) }
    },
  }
}
export type DubExports = ReturnType<typeof createDubExports>
