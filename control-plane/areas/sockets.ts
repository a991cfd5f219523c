// Every WebSocket of the studio, for the description of the API.
import type { SocketContract } from '../http/contract.ts'
import { dictationSocket } from './dictation/live/live.contract.ts'
import { eventsSocket } from './jobs/jobs.contract.ts'
import { speechSocket } from './speech/speech.contract.ts'

export const SOCKETS: readonly SocketContract[] = [dictationSocket, eventsSocket, speechSocket]
