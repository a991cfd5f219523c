// One dictation from its choice of a recogniser on. Loaded with the first client.

import type { SocketMessage } from '#control-plane/http/socket/messages.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { untilAbort } from '#control-plane/jobs/until-abort.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Refine } from '../refine.ts'
import { LIVE_RATE, liveAudio } from './audio/source.ts'
import type { LiveMessage } from './messages.ts'
import { createLivePlaces, type LiveMachines, type LivePlace } from './places.ts'
import type { LiveQuery } from './query.ts'
import { dictate } from './session.ts'
import { createDictationTasks, type DictationTasks } from './tasks.ts'

export type TranscriptionDeps = {
  readonly inference: Pick<Inference, 'holdInput' | 'run'>
  readonly machines: LiveMachines
  /** True if a model is being installed on this machine. */
  readonly isInstalling: (repoId: string) => boolean
  /** Null without ffmpeg. */
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
  readonly refine: Refine
}

/** Milliseconds between two checks of whether the model is installed. */
const INSTALL_LOOK_MS = 500
/** Half a second: loads the model before the first words. */
const WARM_UP = Buffer.alloc(LIVE_RATE)
const NO_PAUSES = 'The voice detector is not installed, so a text is final only at the end of the recording.'
const NO_ECHO = 'Echo cancellation is not available: the audio was used unchanged.'

export async function* liveTranscription(
  { inference, machines, isInstalling, ffmpegPath, clock, refine }: TranscriptionDeps,
  { model, aec, pcm, sr }: LiveQuery,
  messages: AsyncIterable<SocketMessage>,
  signal: AbortSignal,
): AsyncGenerator<LiveMessage> {
  const audio = liveAudio(messages, { pcm, sr }, ffmpegPath(), signal)
  const places = createLivePlaces(machines, model)
  let tasks: DictationTasks | null = null
  for (let isSaid = false; tasks === null; ) {
    try {
      tasks = createDictationTasks({ inference, clock, places }, signal)
    } catch (error) {
      if (!isInstalling(missingRepo(error))) throw error
      if (!isSaid) yield { type: 'status', stage: 'downloading' }
      isSaid = true
      await untilAbort(new Promise<void>((resolve) => clock.after(INSTALL_LOOK_MS, resolve)), signal)
    }
  }
  const { place } = tasks
  const ready = ({ recogniser: { engine, model: name }, detector, notice, needs }: LivePlace, remark: string | null): LiveMessage => {
    const notices = inSentences(notice, detector ? null : NO_PAUSES, remark)
    return { type: 'status', stage: 'ready', engine, model: name, ...(notices !== '' && { notice: notices }), ...(needs && { needs }) }
  }
  yield { type: 'status', stage: 'loading' }
  await tasks.recognise(WARM_UP, false, signal, { newSeconds: 0 })
  let announced = place()
  yield ready(announced, aec ? NO_ECHO : null)
  for await (const message of dictate({ tasks, audio, clock, refine, signal })) {
    if (place() !== announced) {
      announced = place()
      yield ready(announced, null)
    }
    yield message
  }
}

/** The repository of the model whose absence is the failure; '' for another one. */
function missingRepo(error: unknown): string {
  const { code, detail } = Failure.from(error)
  const { recommended } = (code === 'MODEL_NOT_INSTALLED' ? detail : {}) as { recommended?: { repo_id: string } }
  return recommended?.repo_id ?? ''
}
