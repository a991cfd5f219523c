// `/ws/transcribe`: audio in, text out, one dictation per socket.

import { messageFor } from '#control-plane/http/contract/errors.ts'
import type { SocketRoute } from '#control-plane/http/socket/socket.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { untilAbort } from '#control-plane/jobs/until-abort.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Refine } from '../refine.ts'
import { LIVE_RATE, liveAudio } from './audio/source.ts'
import { dictationSocket } from './live.contract.ts'
import type { LiveMessage } from './messages.ts'
import { createLivePlaces, type LiveMachines, type LivePlace } from './places.ts'
import { type LiveQuery, parseLiveQuery } from './query.ts'
import { dictate } from './session.ts'
import { createDictationTasks, type DictationTasks } from './tasks.ts'

type Deps = {
  readonly inference: Pick<Inference, 'holdInput' | 'run'>
  readonly machines: LiveMachines
  /** True if a model is being installed on this machine. */
  readonly isInstalling: (repoId: string) => boolean
  /** Null without ffmpeg. */
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
  readonly refine: Refine
}

const CONNECTIONS_PER_CLIENT = 16
/** Milliseconds between two checks of whether the model is installed. */
const INSTALL_LOOK_MS = 500
const MAX_BYTES = 1024 * 1024
const IDLE_MS = 5 * 60_000
/** Half a second: loads the model before the first words. */
const WARM_UP = Buffer.alloc(LIVE_RATE)
const NO_PAUSES = 'The voice detector is not installed, so a text is final only at the end of the recording.'
const NO_ECHO = 'Echo cancellation is not available: the audio was used as it is.'

export const transcribeSocket = (deps: Deps): SocketRoute => ({
  contract: dictationSocket,
  connectionsPerClient: CONNECTIONS_PER_CLIENT,
  receives: { mostBytes: MAX_BYTES, idleMs: IDLE_MS },
  async *frames({ query, messages, signal }) {
    let isReady = false
    try {
      const wanted = parseLiveQuery(query)
      for await (const message of transcription(deps, wanted, liveAudio(messages, wanted, deps.ffmpegPath(), signal), signal)) {
        if (message.type === 'status' && message.stage === 'ready') isReady = true
        yield JSON.stringify(message)
      }
    } catch (error) {
      if (!signal.aborted) yield JSON.stringify(errorMessage(Failure.from(error), isReady))
    }
  },
})

async function* transcription(
  { inference, machines, isInstalling, clock, refine }: Deps,
  { model, aec }: LiveQuery,
  audio: AsyncGenerator<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<LiveMessage> {
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
  await tasks.recognise(WARM_UP, false, signal)
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

const MISSING = ['MODEL_NOT_INSTALLED', 'MODEL_NOT_DOWNLOADED']

/** `isReady`: whether the recogniser has been loaded. */
function errorMessage(failure: Failure, isReady: boolean): LiveMessage {
  const { code, detail, needs } = failure
  const kind = MISSING.includes(code) ? 'asr_model_missing' : isReady ? 'transcribe' : 'load'
  return { type: 'error', message: messageFor(failure), kind, detail: detail ?? { code }, ...(needs && { needs }) }
}
