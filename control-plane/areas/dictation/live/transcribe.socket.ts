// `/ws/transcribe`: audio in, text out, one dictation per socket.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { SocketRoute } from '../../../http/socket/socket.ts'
import { type Offer, offersAt, runs } from '../../../inference/offers.ts'
import type { Inference } from '../../../inference/run.ts'
import { LOCAL } from '../../../workers/worker.store.ts'
import type { Refine } from '../refine.ts'
import { errorMessage, type LiveMessage } from './messages.ts'
import { type LiveQuery, parseLiveQuery } from './query.ts'
import { chooseLive } from './recogniser.ts'
import { dictate } from './session.ts'
import { LIVE_RATE, liveAudio } from './source.ts'
import { createDictationTasks } from './tasks.ts'

type Deps = {
  readonly inference: Pick<Inference, 'holdInput' | 'run'>
  readonly offered: () => readonly Offer[]
  /** The machine for dictation: 'local', 'auto' or a worker id. */
  readonly target: () => string
  /** The model that the owner selected. */
  readonly chosen: () => string
  /** Null without ffmpeg. */
  readonly ffmpegPath: () => string | null
  readonly clock: Clock
  readonly refine: Refine
}

const MOST_CLIENTS = 32
const MOST_BYTES = 1024 * 1024
const IDLE_MS = 5 * 60_000
/** Half a second: loads the model before the first words. */
const WARM_UP = Buffer.alloc(LIVE_RATE)
const NO_PAUSES = 'The voice detector is not installed, so a text is final only at the end of the recording.'
const NO_ECHO = 'Echo cancellation is not available: the audio was used as it is.'

export const transcribeSocket = (deps: Deps): SocketRoute => ({
  path: '/ws/transcribe',
  access: 'consume',
  mostClients: MOST_CLIENTS,
  receives: { mostBytes: MOST_BYTES, idleMs: IDLE_MS },
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
  { inference, offered, target, chosen, clock, refine }: Deps,
  { model, aec }: LiveQuery,
  audio: AsyncGenerator<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<LiveMessage> {
  const offers = offered()
  const { offer: recogniser, instead } = chooseLive(offersAt(offers, target()), model, chosen())
  const detector = detectorFor(offers, recogniser)
  const tasks = createDictationTasks({ inference, clock }, recogniser, detector, signal)
  yield { type: 'status', stage: 'loading' }
  await tasks.recognise(WARM_UP, false, signal)
  const notice = [instead, detector ? null : NO_PAUSES, aec ? NO_ECHO : null].filter(Boolean).join(' ')
  yield { type: 'status', stage: 'ready', engine: recogniser.engine, model: recogniser.model, ...(notice !== '' && { notice }) }
  yield* dictate({ tasks, recogniser, audio, clock, refine, signal })
}

/** On the machine of the recogniser, which receives the audio anyway; otherwise on this one. */
function detectorFor(offers: readonly Offer[], { workerId }: Offer): Offer | null {
  const able = offers.filter((offer) => offer.operation === 'vad' && runs(offer))
  return able.find((offer) => offer.workerId === workerId) ?? able.find((offer) => offer.workerId === LOCAL) ?? null
}
