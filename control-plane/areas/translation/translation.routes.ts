import { handle, type Route } from '../../http/handle.ts'
import { translationContracts } from './translation.contract.ts'
import type { DubTranslation } from './translation.service.ts'

export const translationRoutes = (translation: DubTranslation): Route[] => [
  handle(translationContracts.translate, ({ body, signal, traceparent }) => translation.translate(body, { signal, traceparent })),
]
