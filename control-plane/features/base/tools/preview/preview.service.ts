// Keeps uploaded media for the players of editors, and the sound of videos as WAV.
import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { createPlaces } from '#control-plane/clients/places.ts'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import { extractAudio } from '#control-plane/media/ffmpeg/extract-audio.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Service } from '#shared/runtime/service.ts'
import { type KeptFile, kindOf, surplusOf } from './preview.rules.ts'

type Deps = {
  readonly folder: string
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
  readonly log: Log
}
export type Previews = ReturnType<typeof createPreviews>

const SOUND = { sampleRate: 22_050, longestSeconds: 2 * 3600 }
/** Extractions of one client at the same time; each is a process. */
const PER_CLIENT = 2
const SWEEP_MS = 3600 * 1000

export function createPreviews({ folder, ffmpegPath, clock, random, log }: Deps) {
  const places = createPlaces({ perClient: PER_CLIENT, what: 'previews that are prepared' })

  async function removeSurplus(coming: number): Promise<void> {
    const files = await Promise.all((await readdir(folder)).map((name) => fileAt(folder, name)))
    const kept = files.filter((file) => file !== null)
    for (const name of surplusOf(kept, clock.now(), coming)) await rm(fileIn(folder, name), { force: true, recursive: true })
  }

  /** Null when the WAV was written, otherwise why not. Throws the reason of the signal. */
  async function extract(from: string, to: string, signal: AbortSignal): Promise<string | null> {
    const program = ffmpegPath()
    if (program === null) return 'ffmpeg is not installed, so the sound was not extracted.'
    try {
      await extractAudio({ program, from, to, ...SOUND }, clock, signal)
      return null
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ err: String(error) }, 'the sound of a preview was not extracted')
      return error instanceof Failure
        ? `The sound was not extracted. ${error.message}`
        : 'The sound was not extracted: the disk may be full.'
    }
  }

  let forget = () => {}
  const sweep = async (): Promise<void> => {
    forget = clock.after(SWEEP_MS, () => void sweep())
    await removeSurplus(0).catch((error: unknown) => log.warn({ err: String(error) }, 'old previews were not deleted'))
  }
  const service: Service = { name: 'previews', start: sweep, stop: async () => forget() }

  return {
    /** Deletes old previews at the start and every hour. */
    service,
    /** Takes the file of the upload. `audioUrl` is `url` without a WAV. Throws QUEUE_FULL, and the reason of the signal. */
    keep: ({ filename, path, size }: Upload, signal: AbortSignal) =>
      places.hold(async () => {
        await removeSurplus(size)
        const { extension, isAudio } = kindOf(filename)
        const id = random.hex(6)
        const place = fileIn(folder, `${id}${extension}`)
        await rename(path, place) // from the same disk
        const url = `/preview/${id}${extension}`
        const reply = (audioUrl: string, notice: string | null) => ({ url, audioUrl, filename: bareName(filename), notice })
        if (isAudio) return reply(url, null)
        try {
          const notice = await extract(place, fileIn(folder, `${id}.wav`), signal)
          return notice === null ? reply(`/preview/${id}.wav`, null) : reply(url, notice)
        } catch (error) {
          await rm(place, { force: true }) // its address was never sent
          throw error
        }
      }),
  }
}

/** Null for a file that was deleted meanwhile. */
async function fileAt(folder: string, name: string): Promise<KeptFile | null> {
  const found = await lstat(fileIn(folder, name)).catch(() => null)
  return found && { name, bytes: found.size, changedAt: found.mtimeMs }
}
