// Zip files with the parts of a dub: each line of a track, or the voice and the background apart.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireLanguage } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub, DubTrack } from '#control-plane/features/dubbing/store/dub.ts'
import { SOUND_BYTES_PER_US } from '#control-plane/features/dubbing/store/files/disk-reserve.ts'
import { writeBackground } from '#control-plane/features/dubbing/voice/timeline/background.ts'
import { type ExportSound, lineOfTrack, soundOf } from '#control-plane/features/dubbing/voice/timeline/export-sound.ts'
import { framesAt } from '#control-plane/features/dubbing/voice/timeline/time-line.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { FILM_RATE } from '#control-plane/media/film/sound/extract.ts'
import { writeZip, type ZipEntry } from '#shared/archive/zip.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { fileIn, privateFolder } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { ExportDetail, ExportedFile, ExportFiles } from './export-files.ts'
import { baseName, namePart } from './names.rules.ts'
import { EXPORT_WAIT_MS, linesDigest, trackDigest, tracksOf } from './sound-export.service.ts'

const VERSION = 1
const KBPS_OF_WAV = 192
const NO_BACKGROUND = 'The voice of the film was not isolated, so there is no background without it.'

/** Number of times that the sound of the whole film is written: each part as a file and in the zip file; the background first as blocks. */
const WRITTEN_TIMES = { segments: 1, stems: 5 } as const

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'film' | 'disk' | 'plans' | 'dub'>
  readonly sound: ExportSound
  readonly exported: ExportFiles
  readonly markKey: () => number | null
  readonly random: Pick<Random, 'hex'>
}
type MakeEntries = (folder: string, signal: AbortSignal) => Promise<ExportDetail & { readonly entries: readonly ZipEntry[] }>

export function createDubArchives({ core, sound, exported, markKey, random }: Deps) {
  const { store, files, film, disk, dub: dubOf } = core

  async function archive(kind: 'segments' | 'stems', dub: Dub, track: DubTrack, entriesIn: MakeEntries, signal: AbortSignal) {
    const key = keyOf({
      kind: `dub.${kind}`,
      version: VERSION,
      inputs: [soundOf(dub).sound, dub.vocals ?? '', await trackDigest(track), await linesDigest(core, dub.id)],
      params: { mark: markKey(), speakers: store.segments.list(dub.id).map(({ speakerId }) => speakerId) },
    })
    const name = `${kind}_${baseName(dub.filename)}_${track.languageCode}.zip`
    return await exported.obtain(
      { dubId: dub.id, key, kind: 'export', name, type: 'application/zip', waitMs: EXPORT_WAIT_MS },
      async (to, stopping) => {
        const bytes = WRITTEN_TIMES[kind] * lineOfTrack(dub, track).totalUs * SOUND_BYTES_PER_US
        await disk.require(bytes, 'zip file')
        const folder = privateFolder(fileIn(files.scratch, `zip-${random.hex(8)}`))
        try {
          const { entries, ...detail } = await entriesIn(folder, stopping)
          await writeZip(to, entries, null)
          return detail
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
      signal,
    )
  }
  async function chosen(id: string, lang: string | null): Promise<{ readonly dub: Dub; readonly track: DubTrack }> {
    if (lang) requireLanguage(lang)
    const dub = dubOf(id)
    const tracks = await tracksOf(core, id)
    return { dub, track: tracks.find(({ languageCode }) => languageCode === lang) ?? tracks[0]! }
  }

  return {
    /** One WAV file for each line that is heard. Throws as `SoundExports.read`. */
    async segments(id: string, lang: string | null, signal: AbortSignal): Promise<ExportedFile> {
      const { dub, track } = await chosen(id, lang)
      return await archive(
        'segments',
        dub,
        track,
        async (folder, stopping) => {
          const { digest, lines } = await sound.mixed(dub, track, lineOfTrack(dub, track), 'dry', stopping)
          const voice = await openBlocks(files.pathOf(digest))
          const segments = store.segments.list(dub.id)
          const spoken = new Map(lines.filter(({ lengthUs }) => lengthUs > 0).map((line) => [line.id, line]))
          const entries: ZipEntry[] = []
          for (const [position, { id: lineId, speakerId }] of segments.entries()) {
            stopping.throwIfAborted()
            const line = spoken.get(lineId)
            if (!line) continue
            const from = framesAt(line.startUs)
            const samples = framesAt(line.startUs + line.lengthUs) - from
            const file = fileIn(folder, `${position}.wav`)
            const pcm = leftOf(await voice.read(from, samples))
            await writeFile(file, Buffer.concat([wavHeader({ sampleRate: FILM_RATE, channels: 1, samples }), pcm]), { mode: 0o600 })
            entries.push({ name: segmentName(position + 1, line.startUs, line.startUs + line.lengthUs, speakerId), file })
          }
          return { entries, warning: null, notices: [] }
        },
        signal,
      )
    },
    /** The voice alone, and the film without its own voice where that was isolated. */
    async stems(id: string, lang: string | null, signal: AbortSignal): Promise<ExportedFile> {
      const { dub, track } = await chosen(id, lang)
      return await archive(
        'stems',
        dub,
        track,
        async (folder, stopping) => {
          const line = lineOfTrack(dub, track)
          const wav = async (from: string, name: string): Promise<ZipEntry> => {
            const to = fileIn(folder, name)
            const whole = { format: 'wav', kbps: KBPS_OF_WAV, title: null, language: null } as const
            await film.exportSound({ sound: from, ...whole, to }, stopping)
            return { name, file: to }
          }
          const voice = await sound.mixed(dub, track, line, 'dry', stopping)
          const entries = [await wav(files.pathOf(voice.digest), `vocals_dubbed_${track.languageCode}.wav`)]
          const { original, vocals } = await sound.base(dub, line, stopping)
          if (vocals === null) return { entries, warning: null, notices: [NO_BACKGROUND] }
          const bed = join(folder, 'bed')
          await writeBackground(files.pathOf(original), files.pathOf(vocals), bed, stopping)
          entries.push(await wav(bed, 'background_original.wav'))
          return { entries, warning: null, notices: [] }
        },
        signal,
      )
    },
  }
}

/** `001_1.20-3.45_Speaker_1.wav`. */
export const segmentName = (number: number, startUs: number, endUs: number, speaker: string): string =>
  `${String(number).padStart(3, '0')}_${(startUs / 1e6).toFixed(2)}-${(endUs / 1e6).toFixed(2)}_${namePart(speaker) || 'Speaker'}.wav`

/** The left channel of s16le stereo. */
export function leftOf(stereo: Buffer): Buffer {
  const frames = stereo.length / 4
  const mono = Buffer.alloc(2 * frames)
  for (let frame = 0; frame < frames; frame++) mono.writeInt16LE(stereo.readInt16LE(4 * frame), 2 * frame)
  return mono
}
