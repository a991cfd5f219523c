import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { pronunciationContracts } from './pronunciation.contract.ts'
import { createPronunciation, type Pronunciation } from './pronunciation.service.ts'
import { pronunciationSettings } from './pronunciation.settings.ts'
import { createPronunciationStore } from './pronunciation.store.ts'

const pronunciationRoutes = (pronunciation: Pronunciation): Route[] => [
  handle(pronunciationContracts.list, () => pronunciation.list()),
  handle(pronunciationContracts.add, ({ body }) => pronunciation.add(body)),
  handle(pronunciationContracts.change, ({ params, body }) => pronunciation.change(params.entry_id, body)),
  handle(pronunciationContracts.remove, ({ params }) => pronunciation.remove(params.entry_id)),
  handle(pronunciationContracts.export, () => pronunciation.export()),
  handle(pronunciationContracts.import, ({ body }) => pronunciation.import(body.entries, body.replace)),
]

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
