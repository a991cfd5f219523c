// `/ws/transcribe`: audio in, text out, one dictation per socket.

import { messageFor } from '#control-plane/http/contract/errors.ts'
import type { SocketRoute } from '#control-plane/http/socket/socket.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { dictationSocket } from './live.contract.ts'
import type { LiveMessage } from './messages.ts'
import { parseLiveQuery } from './query.ts'
import type { TranscriptionDeps } from './transcription.ts'

const CONNECTIONS_PER_CLIENT = 16
const MAX_BYTES = 1024 * 1024
const IDLE_MS = 5 * 60_000

export const transcribeSocket = (deps: TranscriptionDeps): SocketRoute => ({
  contract: dictationSocket,
  connectionsPerClient: CONNECTIONS_PER_CLIENT,
  receives: { mostBytes: MAX_BYTES, idleMs: IDLE_MS },
  async *frames({ query, messages, signal }) {
    let isReady = false
    try {
      const wanted = parseLiveQuery(query)
      const { liveTranscription } = await import('./transcription.ts')
      for await (const message of liveTranscription(deps, wanted, messages, signal)) {
        if (message.type === 'status' && message.stage === 'ready') isReady = true
        yield JSON.stringify(message)
      }
    } catch (error) {
      if (!signal.aborted) yield JSON.stringify(errorMessage(Failure.from(error), isReady))
    }
  },
})

const MISSING = ['MODEL_NOT_INSTALLED', 'MODEL_NOT_DOWNLOADED']

/** `isReady`: whether the recogniser has been loaded. */
function errorMessage(failure: Failure, isReady: boolean): LiveMessage {
  const { code, detail, needs } = failure
  const kind = MISSING.includes(code) ? 'asr_model_missing' : isReady ? 'transcribe' : 'load'
  return { type: 'error', message: messageFor(failure), kind, detail: detail ?? { code }, ...(needs && { needs }) }
}
