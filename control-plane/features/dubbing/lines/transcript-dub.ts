// A dub of a transcript that is a project: its recording, with its lines, times and speakers.

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAudioName } from '#control-plane/features/dubbing/film/upload/upload.rules.ts'
import type { createDubUploads } from '#control-plane/features/dubbing/film/upload/upload.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { usOf } from '#control-plane/features/dubbing/store/dub.ts'
import { type DubLine, MAX_DUB_LINE_CHARS, NEW_LINE } from '#control-plane/features/dubbing/store/line.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { MAX_LINES } from './lines.contract.ts'

type Deps = {
  readonly core: Pick<DubCore, 'store'>
  readonly uploads: Pick<ReturnType<typeof createDubUploads>, 'start'>
  readonly lendTranscript: RecognitionApi['lendTranscript']
  /** Scratch folder on the disk of dubs. */
  readonly folder: string
}
const DEFAULT_SPEAKER = 'Speaker 1'
/** Seconds; a line ends after its start. */
const LEAST_LENGTH = 0.1

export const createTranscriptDubs =
  ({ core: { store }, uploads, lendTranscript, folder }: Deps) =>
  /** Throws NOT_FOUND without a transcript or its recording, BAD_REQUEST for more or longer lines than a dub has, and what an upload throws. */
  async (project: string, client: ClientId) => {
    const own = await mkdtemp(join(folder, 'transcript-'))
    try {
      const path = join(own, '0')
      const { filename, language, digest, bytes, lines } = await lendTranscript(project, path)
      if (lines.length > MAX_LINES)
        throw new Failure(
          'BAD_REQUEST',
          `The transcript has ${lines.length} lines; a dub has at most ${MAX_LINES}. Dub a shorter recording.`,
        )
      const long = lines.find(({ text }) => text.length > MAX_DUB_LINE_CHARS)
      if (long)
        throw new Failure(
          'BAD_REQUEST',
          `A line of the transcript has ${long.text.length} characters; a line of a dub has at most ${MAX_DUB_LINE_CHARS}. Divide it, or dub the recording without its transcript.`,
        )
      const upload = { filename, path, size: bytes, digest }
      return await uploads.start(upload, { input_type: isAudioName(filename) ? 'audio' : 'video' }, client, (dub) => {
        store.dubs.change(dub, { sourceLang: language })
        store.segments.replaceByOthers(dub, lines.map(lineOf))
      })
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }

type Spoken = Awaited<ReturnType<RecognitionApi['lendTranscript']>>['lines'][number]
/** Lines that a dub would refuse could not be saved again. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')
const lineOf = ({ start, end, text: said, speaker }: Spoken, at: number): DubLine => {
  const text = storable(said)
  return {
    ...NEW_LINE,
    ...{ id: String(at), startUs: usOf(start), endUs: usOf(Math.max(end, start + LEAST_LENGTH)), text, textOriginal: text },
    speakerId: storable(speaker) || DEFAULT_SPEAKER,
  }
}
