import { defineArea } from '../define.ts'
import { dictationRoutes } from './dictation.routes.ts'
import { chosenForDictation, createDictation } from './dictation.service.ts'

export const dictationArea = defineArea({
  name: 'dictation',
  needs: ['models'],
  open: ({ choices: settings, offered }, { models }) => ({
    routes: dictationRoutes({ dictation: createDictation({ settings, offered, isInstalling: models.isInstalling }) }),
    api: { isChosen: chosenForDictation(settings) },
  }),
})
