import { defineArea } from '#control-plane/kernel/define.ts'
import { pronunciationRoutes } from './pronunciation.routes.ts'
import { createPronunciation } from './pronunciation.service.ts'
import { pronunciationSettings } from './pronunciation.settings.ts'
import { createPronunciationStore } from './pronunciation.store.ts'

export const pronunciationArea = defineArea({
  name: 'pronunciation',
  needs: [],
  open: ({ library: { db }, choices, clock, random }) => {
    const isEnabled = () => choices.read(pronunciationSettings.enabled)
    const pronunciation = createPronunciation({ store: createPronunciationStore({ db }), isEnabled, clock, random })
    const { pronounced, speaker, test, unusedNotice } = pronunciation
    return { routes: pronunciationRoutes(pronunciation), api: { pronounced, speaker, test, unusedNotice } }
  },
})
