import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { dictationContracts } from './dictation.contract.ts'
import { chosenForDictation, chosenModel, createDictation, type Dictation, hasChosenModel } from './dictation.service.ts'
import { transcribeSocket } from './live/transcribe.socket.ts'
import { createRefiner } from './refine.ts'

const dictationRoutes = ({ dictation }: { readonly dictation: Dictation }): Route[] => [
  handle(dictationContracts.listModels, () => dictation.models()),
  handle(dictationContracts.getPrefs, () => dictation.prefs()),
  handle(dictationContracts.setPrefs, ({ body }) =>
    dictation.change({ enabled: body.enabled ?? null, mode: body.mode ?? null, model_id: body.model_id ?? null }),
  ),
]

export const dictationArea = defineArea({
  name: 'dictation',
  needs: ['models', 'settings', 'workers'],
  open: ({ choices: settings, offered, inference, ffmpegPath, clock }, { models, settings: refinement, workers }) => {
    const refiner = createRefiner(refinement)
    return {
      routes: dictationRoutes({ dictation: createDictation({ settings, offered, isInstalling: models.isInstalling }) }),
      sockets: [
        transcribeSocket({
          inference,
          machines: {
            offered,
            target: () => workers.targetOf('dictation'),
            isUsable: (workerId) => workers.isUsable(workerId, 'dictation'),
            fallback: () => workers.fallbackOf('dictation'),
            labelOf: workers.labelOf,
            chosen: () => chosenModel(settings),
            isChosen: () => hasChosenModel(settings),
          },
          isInstalling: models.isInstalling,
          ffmpegPath,
          clock,
          refine: refiner.live,
        }),
      ],
      api: { isChosen: chosenForDictation(settings), refiner: { isReady: refiner.isReady, refine: refiner.refine } },
    }
  },
})
