// Transcripts that are projects: kept once at the end of their job, with their recording, written as files, and lent to dubs.

import { createHash } from 'node:crypto'
import type { LibraryProjects } from '#control-plane/features/base/library/api.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import { digestOfFile } from '#control-plane/store/files/file-digest.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { OTHER_SOUND, SOUND_TYPES, type WrittenFormat } from '../recognition.schema.ts'
import type { Transcript } from '../transcript/assemble.ts'
import { KeptTranscript, keptTranscriptOf, TRANSCRIPT_KIND, textOfWords } from './kept-transcript.schema.ts'
import { createKeptSounds } from './sounds.ts'
import { writtenTranscript } from './written.rules.ts'

export type KeptTranscripts = ReturnType<typeof createKeptTranscripts>
type FinishedJob = {
  readonly id: string
  /** The project that was promised; null to derive one. */
  readonly project: string | null
  readonly madeBy: ClientId
  readonly transcript: Transcript
  readonly filename: string
  readonly took: number
  /** The recording, while the job has it. */
  readonly sound: { readonly digest: string; readonly path: string }
}
type Deps = { readonly projects: LibraryProjects; readonly dataDir: string }

const NAME_CHARS = 200
/** Length of every id of a project. */
const ID_CHARS = 8
const UNNAMED = 'Transcript'
const typeOf = (filename: string): string => {
  const extension = filename.toLowerCase().split('.').at(-1)!
  return Object.hasOwn(SOUND_TYPES, extension) ? SOUND_TYPES[extension as keyof typeof SOUND_TYPES] : OTHER_SOUND
}

/** Every function that takes a project throws NOT_FOUND for one that is no transcript. */
export function createKeptTranscripts({ projects, dataDir }: Deps) {
  const sounds = createKeptSounds({ dataDir, isKnown: projects.isKnown })

  function read(project: string): { readonly name: string; readonly transcript: KeptTranscript } {
    const { name, kind, state } = projects.read(project)
    if (kind !== TRANSCRIPT_KIND) throw new Failure('NOT_FOUND', 'This project is no transcript.')
    const transcript = KeptTranscript.safeParse(state)
    if (!transcript.success) throw new Failure('CONFLICT', 'This transcript was saved in a form that the studio cannot read.')
    return { name, transcript: transcript.data }
  }

  const isOf = (project: string, job: string): boolean => {
    try {
      const { kind, state } = projects.read(project)
      // Also one whose words cannot be read: a second project would not help.
      return kind === TRANSCRIPT_KIND && state['job'] === job
    } catch {
      return false
    }
  }

  /** The project of a job: the same one each time, however often it is asked. Another project may have its id by chance. */
  function projectOf({ id, project }: Pick<FinishedJob, 'id' | 'project'>): string {
    if (project !== null && (!projects.isKnown(project) || isOf(project, id))) return project
    for (let turn = 0; ; turn++) {
      const derived = createHash('sha256').update(`transcript ${id} ${turn}`).digest('hex').slice(0, ID_CHARS)
      if (!projects.isKnown(derived) || isOf(derived, id)) return derived
    }
  }

  async function requireSound(project: string) {
    const { name, transcript } = read(project)
    const sound = await sounds.find(project)
    if (!sound) throw new Failure('NOT_FOUND', 'The studio no longer has the recording of this transcript. Choose its file again.')
    return { name, transcript, sound }
  }

  return {
    sweep: sounds.sweep,
    /** Once for each job: a transcript that is there stays as it was edited. Throws what the creation of a project throws. */
    async keep(job: FinishedJob): Promise<string> {
      const project = projectOf(job)
      const state = keptTranscriptOf(job.transcript, { job: job.id, file: job.filename, took: job.took })
      const name =
        job.filename
          .replace(/\.[^.]{1,8}$/, '')
          .slice(0, NAME_CHARS)
          .trim() || UNNAMED
      const body = { name, state, kind: TRANSCRIPT_KIND, video_path: null, audio_path: null, duration: state.duration }
      projects.keep(project, body, job.madeBy)
      await sounds.keep(project, job.sound.digest, job.sound.path)
      return project
    },
    async facts(project: string) {
      const { transcript } = read(project)
      const sound = await sounds.find(project)
      return { sound: sound && { bytes: sound.bytes, name: transcript.file } }
    },
    /** Throws NOT_FOUND without a recording. */
    async sound(project: string) {
      const { transcript, sound } = await requireSound(project)
      return { type: typeOf(transcript.file), body: sounds.ranged(sound) }
    },
    /** Throws BAD_REQUEST for an empty file. */
    async attach(project: string, { path, size }: Upload, signal: AbortSignal) {
      read(project)
      if (size === 0) throw new Failure('BAD_REQUEST', 'The file is empty. Choose the recording again.')
      await sounds.replace(project, await digestOfFile(path, signal), path)
      return { bytes: size }
    },
    /** The file of a transcript, named after its project. */
    written(project: string, format: WrittenFormat) {
      const { name, transcript } = read(project)
      return { ...writtenTranscript(transcript, format), name: `${fileNameOf(name)}.${format}` }
    },
    /** Lines of a dub, and a second name of the recording at `to`. Throws NOT_FOUND without a recording. */
    async lend(project: string, to: string) {
      const { transcript, sound } = await requireSound(project)
      await sounds.lend(sound, to)
      const lines = transcript.segments.flatMap(({ speaker, words }) => {
        const text = textOfWords(words)
        return text === '' ? [] : [{ start: words[0]![0], end: words.at(-1)![1], text, speaker }]
      })
      return { filename: transcript.file, language: transcript.language, digest: sound.digest, bytes: sound.bytes, lines }
    },
  }
}

const fileNameOf = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}"*/:<>?\\|\u2028\u2029]+/gu, '_')
    .replace(/^[\s.]+/, '')
    .trim() || UNNAMED
