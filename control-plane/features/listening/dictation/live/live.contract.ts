import type { SocketContract } from '#control-plane/http/contract/contract.ts'
import { LiveMessage } from './messages.ts'
import { LiveQuery } from './query.ts'

export const dictationSocket: SocketContract = {
  id: 'dictation.transcribeLive',
  path: '/ws/transcribe',
  access: 'consume',
  summary: 'Transcribes sound while it is recorded; one dictation a socket.',
  messages:
    'The client sends binary messages with sound, and the text message EOF at the end. The studio sends JSON: status, partial, final and error.',
  query: LiveQuery,
  frames: LiveMessage,
}
