import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { dictationContracts } from './dictation.contract.ts'
import type { Dictation } from './dictation.service.ts'

export const dictationRoutes = ({ dictation }: { readonly dictation: Dictation }): Route[] => [
  handle(dictationContracts.listModels, () => dictation.models()),
  handle(dictationContracts.getPrefs, () => dictation.prefs()),
  handle(dictationContracts.setPrefs, ({ body }) =>
    dictation.change({ enabled: body.enabled ?? null, mode: body.mode ?? null, model_id: body.model_id ?? null }),
  ),
]
