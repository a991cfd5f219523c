import { defineArea } from '../define.ts'
import { dictationRoutes } from './dictation.routes.ts'
import { chosenForDictation, chosenModel, createDictation } from './dictation.service.ts'
import { transcribeSocket } from './live/transcribe.socket.ts'
import { createRefine } from './refine.ts'

export const dictationArea = defineArea({
  name: 'dictation',
  needs: ['models', 'settings', 'workers'],
  open: ({ choices: settings, offered, inference, ffmpegPath, clock }, { models, settings: refinement, workers }) => ({
    routes: dictationRoutes({ dictation: createDictation({ settings, offered, isInstalling: models.isInstalling }) }),
    sockets: [
      transcribeSocket({
        inference,
        offered,
        target: () => workers.targetOf('dictation'),
        chosen: () => chosenModel(settings),
        ffmpegPath,
        clock,
        refine: createRefine(refinement),
      }),
    ],
    api: { isChosen: chosenForDictation(settings) },
  }),
})
