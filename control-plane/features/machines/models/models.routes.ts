import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { eventStream } from '#control-plane/http/contract/respond.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import type { Downloads } from './downloads.ts'
import type { Cards } from './licences/cards.ts'
import type { Licences } from './licences/licences.ts'
import { modelsContracts } from './models.contract.ts'
import type { Models } from './models.service.ts'

export type ModelsParts = {
  readonly needs: () => readonly ModelNeed[]
  readonly models: Models
  readonly licences: Licences
  readonly cards: Cards
  readonly downloads: Downloads
}

export const modelsRoutes = ({ needs, models, licences, cards, downloads }: ModelsParts): Route[] => [
  handle(modelsContracts.list, ({ query }) => models.list(query.target)),
  handle(modelsContracts.needs, () => ({ needs: [...needs()] })),
  handle(modelsContracts.install, ({ body }) => models.install(body.repo_id, body.target, body.accept_licence)),
  handle(modelsContracts.readCard, ({ query, signal }) => cards.reply(query.repo_id, signal)),
  handle(modelsContracts.cancelInstall, async ({ body }) => {
    await models.cancel(body.repo_id, body.target ?? undefined)
    return { cancelling: body.repo_id }
  }),
  handle(modelsContracts.moveFirst, async ({ body }) => {
    await models.moveFirst(body.repo_id, body.target)
    return { next: body.repo_id }
  }),
  handle(modelsContracts.remove, ({ params, query }) => models.remove(params.repo_id, query.target)),
  handle(modelsContracts.removePlain, ({ params, query }) => models.remove(`${params.owner}/${params.name}`, query.target)),
  handle(modelsContracts.acceptLicence, ({ body }) => licences.set(body.engine_id, body.accepted)),
  handle(modelsContracts.readLicence, ({ params }) => licences.get(params.engine_id)),
  handle(modelsContracts.followDownloads, ({ query, signal }) => eventStream(downloads.listen(query.target ?? null, signal))),
]
