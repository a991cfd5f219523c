// Sound that leaves: the mix of a track, or the original, in a format for players.

import { requireLanguage } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub, DubTrack } from '#control-plane/features/dubbing/store/dub.ts'
import { digestInTurns } from '#control-plane/features/dubbing/store/turns/json-in-turns.ts'
import { type ExportSound, lineOfTrack, soundOf } from '#control-plane/features/dubbing/voice/timeline/export-sound.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import type { SoundFileFormat } from '#control-plane/media/film/export/plan.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { ExportedFile, ExportFiles } from './export-files.ts'
import { baseName, stampOf } from './names.rules.ts'

const VERSION = 2
export const EXPORT_WAIT_MS = 1800_000
const TYPES: Readonly<Record<SoundFileFormat, string>> = { wav: 'audio/wav', m4a: 'audio/mp4', mp3: 'audio/mpeg', flac: 'audio/flac' }
const DRY = 'The background could not be mixed. This is the voice alone.'
const DUCKED = 'The voice of the film was not isolated, so the whole original is turned down under the dub.'

export type SoundChoice = {
  /** Null or unknown: the first track. */
  readonly lang: string | null
  readonly preserveBackground: boolean
  readonly format: SoundFileFormat
  readonly kbps: number
}
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'film' | 'plans' | 'dub'>
  readonly sound: ExportSound
  readonly exported: ExportFiles
  readonly markKey: () => number | null
  readonly clock: Pick<Clock, 'now'>
  /** 0 to 1, while the file is written. */
  readonly progress?: (share: number) => void
}
export type SoundExports = ReturnType<typeof createSoundExports>

/** The tracks of a dub. Throws BAD_REQUEST without any. */
export async function tracksOf({ plans }: Pick<DubCore, 'plans'>, dubId: string): Promise<DubTrack[]> {
  const tracks = await plans.of(dubId)
  if (tracks.length === 0) throw new Failure('BAD_REQUEST', 'This dub has no voice track yet. Generate one first.')
  return tracks
}
/** Digest of the parts of the lines that an export depends on. In turns, because a film of hours has thousands of lines. */
export async function linesDigest({ store }: Pick<DubCore, 'store'>, dubId: string): Promise<string> {
  const segments = store.segments.list(dubId)
  await nextTurn()
  return await digestInTurns({
    lines: segments.map(({ id, startUs, endUs, text, textOriginal }) => ({ id, startUs, endUs, text, textOriginal })),
  })
}
/** The spoken texts of a track. */
export const textsDigest = ({ store }: Pick<DubCore, 'store'>, dubId: string, language: string): Promise<string> =>
  digestInTurns({ texts: Object.entries(store.segments.texts(dubId, language)) })
/** Digest of the parts of a track that an export depends on. */
export const trackDigest = ({ digest, plan, planFile, languageCode, language }: DubTrack): Promise<string> =>
  digestInTurns({ digest, plan: planFile ?? plan, languageCode, language })

export function createSoundExports({ core, sound, exported, markKey, clock, progress = () => {} }: Deps) {
  const { files, film, dub: dubOf } = core

  async function ofTrack(dub: Dub, track: DubTrack, choice: Omit<SoundChoice, 'lang'>, signal: AbortSignal): Promise<ExportedFile> {
    const { preserveBackground, format } = choice
    const kbps = format === 'mp3' || format === 'm4a' ? choice.kbps : 0
    const key = keyOf({
      kind: 'dub.sound',
      version: VERSION,
      inputs: [soundOf(dub).sound, dub.vocals ?? '', await trackDigest(track), await linesDigest(core, dub.id)],
      params: {
        // The text of a line decides whether it is spoken or keeps the original sound.
        texts: await textsDigest(core, dub.id, track.languageCode),
        ...{ preserveBackground, format, kbps, mark: markKey(), title: dub.filename },
      },
    })
    const name = `dubbed_${baseName(dub.filename)}_${track.languageCode}_${stampOf(clock.now())}.${format}`
    await nextTurn()
    const line = lineOfTrack(dub, track)
    await nextTurn()
    return await exported.obtain(
      { dubId: dub.id, key, kind: 'export', name, type: TYPES[format], waitMs: EXPORT_WAIT_MS },
      async (to, stopping) => {
        const notices: string[] = []
        const mix = await sound.mixed(dub, track, line, preserveBackground ? 'full' : 'alone', stopping).catch(async (error: unknown) => {
          stopping.throwIfAborted()
          // The tracks are read again below, which reports what they lack.
          if (['STORAGE_FULL', 'INPUT_UNAVAILABLE', 'CONFLICT'].includes(Failure.from(error).code)) throw error
          notices.push(DRY)
          return await sound.mixed(dub, track, line, 'dry', stopping)
        })
        if (mix.isDucked) notices.push(DUCKED)
        if (mix.undetected !== null) notices.push(mix.undetected)
        const title = baseName(dub.filename)
        await film.exportSound(
          { sound: files.pathOf(mix.digest), format, kbps: kbps || 192, title, language: track.languageCode, to },
          stopping,
          (us) => progress(us / line.totalUs),
        )
        return { isWorse: notices.includes(DRY) || mix.undetected !== null, warning: null, notices }
      },
      signal,
    )
  }

  return {
    ofTrack,
    /** Throws NOT_FOUND, BAD_REQUEST without a track and for a wrong code, and as `ExportFiles.obtain`. */
    async read(id: string, { lang, ...choice }: SoundChoice, signal: AbortSignal): Promise<ExportedFile> {
      if (lang) requireLanguage(lang)
      const dub = dubOf(id)
      const tracks = await tracksOf(core, id)
      return await ofTrack(dub, tracks.find(({ languageCode }) => languageCode === lang) ?? tracks[0]!, choice, signal)
    },
    /** The sound of the film itself. */
    async ofOriginal(dub: Dub, choice: Omit<SoundChoice, 'lang' | 'preserveBackground'>, signal: AbortSignal): Promise<ExportedFile> {
      const { format, kbps } = choice
      const key = keyOf({
        kind: 'dub.sound',
        version: VERSION,
        inputs: [soundOf(dub).sound],
        params: { format, kbps, title: dub.filename },
      })
      const name = `${baseName(dub.filename)}_${stampOf(clock.now())}.${format}`
      return await exported.obtain(
        { dubId: dub.id, key, kind: 'export', name, type: TYPES[format], waitMs: EXPORT_WAIT_MS },
        async (to, stopping) => {
          const { original } = await sound.base(dub, lineOfTrack(dub, null), stopping)
          const title = baseName(dub.filename)
          await film.exportSound({ sound: files.pathOf(original), format, kbps, title, language: dub.sourceLang || null, to }, stopping)
          return { warning: null, notices: [] }
        },
        signal,
      )
    },
  }
}
