import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { translationContracts } from './translation.contract.ts'
import type { DubTranslation } from './translation.service.ts'

type Parts = { readonly translation: DubTranslation; readonly makers: Pick<Makers, 'requireMaker'> }

export const translationRoutes = ({ translation, makers }: Parts): Route[] => [
  handle(translationContracts.translate, async ({ body, signal, traceparent }) => {
    if (body.job_id) makers.requireMaker('dub', body.job_id)
    return translation.translate(body, { signal, traceparent })
  }),
]
