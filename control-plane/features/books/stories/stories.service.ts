// Converts finished stories to the formats of players.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createPlaces } from '#control-plane/clients/places.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import { type TranscodeFormat, transcode } from '#control-plane/media/ffmpeg/transcode.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'

type StoryFormat = Extract<TranscodeFormat, 'mp3' | 'm4b' | 'ogg'>
const STORY_TYPES: Readonly<Record<StoryFormat, string>> = { mp3: 'audio/mpeg', m4b: 'audio/mp4', ogg: 'audio/ogg' }
const DEFAULT_KBPS = 192
/** Bitrates that the encoders accept. */
const LOWEST_KBPS = 8
const HIGHEST_KBPS: Readonly<Record<StoryFormat, number>> = { mp3: 320, m4b: 320, ogg: 256 }

/** Null for an unknown format. */
export function formatOf(text: string): StoryFormat | null {
  const format = text.trim().toLowerCase()
  return Object.hasOwn(STORY_TYPES, format) ? (format as StoryFormat) : null
}

/** The nearest possible bitrate to one like `96k`; 192 for any other text. */
export function kbpsOf(text: string, format: StoryFormat): number {
  const kbps = /^\d{2,3}k$/.test(text) ? Number.parseInt(text, 10) : DEFAULT_KBPS
  return Math.max(LOWEST_KBPS, Math.min(HIGHEST_KBPS[format], kbps))
}

type Deps = {
  /** Null without ffmpeg. Asked for each file. */
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
}
export type Stories = ReturnType<typeof createStories>
type Request = { readonly format?: string | undefined; readonly bitrate?: string | undefined }

/** Conversions of one client at the same time; each is a process that may run for minutes. */
const PER_CLIENT = 2

export function createStories({ ffmpegPath, clock }: Deps) {
  const places = createPlaces({ perClient: PER_CLIENT, what: 'conversions of stories' })
  return {
    /**
     * The file is beside the upload and disappears with it. Throws BAD_REQUEST for an unknown format and for a file that ffmpeg cannot read,
     * PROGRAM_MISSING, QUEUE_FULL, EXECUTION_TIMEOUT, STORAGE_FULL, and the reason of the signal.
     */
    async encode({ path }: Upload, { format: wanted = 'mp3', bitrate = '' }: Request, signal: AbortSignal) {
      const format = formatOf(wanted)
      if (format === null) throw new Failure('BAD_REQUEST', 'The format is unknown. Choose mp3, m4b or ogg.')
      const program = ffmpegPath()
      if (program === null)
        throw new Failure('PROGRAM_MISSING', `Converting needs ffmpeg, which is not on this machine. ${COMMAND} setup installs it.`)
      const to = `${path}.${format}`
      await places.hold(() => transcode({ program, from: path, to, format, kbps: kbpsOf(bitrate, format) }, clock, signal))
      return { type: STORY_TYPES[format], name: `story.${format}`, bytes: (await stat(to)).size, file: createReadStream(to) }
    },
  }
}
