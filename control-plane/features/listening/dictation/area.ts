import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { SocketRoute } from '#control-plane/http/socket/socket.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { dictationContracts } from './dictation.contract.ts'
import { chosenForDictation, chosenModel, createDictation, type Dictation, hasChosenModel } from './dictation.service.ts'
import { transcribeSocket } from './live/transcribe.socket.ts'
import { realtimeSocket } from './realtime/realtime.contract.ts'
import type { RealtimeDeps } from './realtime/session.ts'
import { createRefiner } from './refine.ts'

const dictationRoutes = ({ dictation }: { readonly dictation: Dictation }): Route[] => [
  handle(dictationContracts.listModels, () => dictation.models()),
  handle(dictationContracts.getPrefs, () => dictation.prefs()),
  handle(dictationContracts.setPrefs, ({ body }) =>
    dictation.change({ enabled: body.enabled ?? null, mode: body.mode ?? null, model_id: body.model_id ?? null }),
  ),
]

const realtimeRoute = (deps: RealtimeDeps): SocketRoute => ({
  contract: realtimeSocket,
  connectionsPerClient: 16,
  receives: { mostBytes: 1024 * 1024, idleMs: 5 * 60_000 },
  async *frames(client) {
    const { realtimeSession } = await import('./realtime/session.ts')
    for await (const event of realtimeSession(deps, client)) yield JSON.stringify(event)
  },
})

export const dictationArea = defineArea({
  name: 'dictation',
  needs: ['models', 'settings', 'workers'],
  open: ({ choices: settings, offered, inference, ffmpegPath, clock, random }, { models, settings: refinement, workers }) => {
    const refiner = createRefiner(refinement)
    const machines = {
      offered,
      target: () => workers.targetOf('dictation'),
      isUsable: (workerId: string) => workers.isUsable(workerId, 'dictation'),
      fallback: () => workers.fallbackOf('dictation'),
      labelOf: workers.labelOf,
      chosen: () => chosenModel(settings),
      isChosen: () => hasChosenModel(settings),
    }
    return {
      routes: dictationRoutes({ dictation: createDictation({ settings, offered, isInstalling: models.isInstalling }) }),
      sockets: [
        transcribeSocket({
          inference,
          machines,
          isInstalling: models.isInstalling,
          ffmpegPath,
          clock,
          refine: refiner.live,
        }),
        realtimeRoute({ inference, machines, clock, random }),
      ],
      api: { isChosen: chosenForDictation(settings), refiner: { isReady: refiner.isReady, refine: refiner.refine } },
    }
  },
})
