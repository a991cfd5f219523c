import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { glossaryContracts } from './glossary.contract.ts'
import type { Glossary } from './glossary.service.ts'

type Parts = { readonly glossary: Glossary; readonly makers: Pick<Makers, 'requireMaker'> }

export const glossaryRoutes = ({ glossary, makers }: Parts): Route[] => [
  handle(glossaryContracts.list, async ({ params }) => glossary.list(params.project_id, currentViewer())),
  handle(glossaryContracts.add, async ({ params, body }) => {
    makers.requireMaker('dub', params.project_id)
    return glossary.add(params.project_id, body, currentClient().id)
  }),
  handle(glossaryContracts.clear, async ({ params, query }) =>
    glossary.clear(params.project_id, /^(true|1)$/i.test(query.only_auto), currentViewer()),
  ),
  handle(glossaryContracts.change, ({ params, body }) => glossary.change(params.project_id, params.term_id, body)),
  handle(glossaryContracts.remove, ({ params }) => glossary.remove(params.project_id, params.term_id)),
  handle(glossaryContracts.extract, async ({ params, body, signal }) => {
    makers.requireMaker('dub', params.project_id) // its lines are read
    return glossary.extract(params.project_id, body, { client: currentClient().id, viewer: currentViewer(), signal })
  }),
]
