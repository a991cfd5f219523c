import { defineArea } from '../define.ts'
import { dictationRoutes } from './dictation.routes.ts'
import { chosenForDictation, createDictation } from './dictation.service.ts'

export const dictationArea = defineArea({
  name: 'dictation',
  needs: [],
  open: ({ choices: settings, offered }) => ({
    routes: dictationRoutes({ dictation: createDictation({ settings, offered }) }),
    api: { isChosen: chosenForDictation(settings) },
  }),
})
