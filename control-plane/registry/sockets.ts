// Every WebSocket of the studio, for the description of the API.

import { eventsSocket } from '#control-plane/features/base/jobs/jobs.contract.ts'
import { dictationSocket } from '#control-plane/features/listening/dictation/live/live.contract.ts'
import { realtimeSocket } from '#control-plane/features/listening/dictation/realtime/realtime.contract.ts'
import { speechSocket } from '#control-plane/features/speech/speech/speech.contract.ts'
import type { SocketContract } from '#control-plane/http/contract/contract.ts'

export const SOCKETS: readonly SocketContract[] = [dictationSocket, realtimeSocket, eventsSocket, speechSocket]
