// Kinds of work as people and clients name them, and the machines that its tasks may run on. Pure.
import type { OperationId } from '#shared/operations/table.ts'

export type WorkKind = {
  /** The operation of its tasks. */
  readonly task: OperationId
  /** Name for people. */
  readonly label: string
  /** True if other machines run it in this version. */
  readonly isRemote: boolean
  /** True if it runs on this machine where the chosen one has no engine for it; otherwise it is refused. */
  readonly fallsBack: boolean
}
const remote = (task: OperationId, label: string, fallsBack = false): WorkKind => ({ task, label, isRemote: true, fallsBack })
const here = (task: OperationId, label: string): WorkKind => ({ task, label, isRemote: false, fallsBack: false })

/** The operations of the specification, those of tasks, and the names that the pages use. */
const WORK: Readonly<Record<string, WorkKind>> = {
  tts: remote('tts', 'speech'),
  clone: remote('tts', 'voice cloning'),
  design: remote('tts', 'voice design'),
  audiobook: remote('tts', 'audiobooks'),
  longform: remote('tts', 'stories'),
  dub: remote('tts', 'dubbing'),
  dub_segments: remote('tts', 'dubbing'),
  dictation: remote('asr', 'dictation', true),
  verify: remote('verify', 'verification of models'),
  asr: here('asr', 'transcription'),
  align: here('align', 'alignment of words'),
  denoise: here('denoise', 'noise removal'),
  diarize: here('diarize', 'speaker detection'),
  identify: here('identify', 'language identification'),
  separate: here('separate', 'voice separation'),
  translate: here('translate', 'translation'),
  vad: here('vad', 'speech detection'),
}

/** Null for a name that this version does not know. */
export const workNamed = (name: string): WorkKind | null => (Object.hasOwn(WORK, name) ? WORK[name]! : null)
/** In the order of the specification. */
export const REMOTE_OPERATIONS: readonly string[] = Object.keys(WORK)
  .filter((name) => WORK[name]!.isRemote)
  .sort()
