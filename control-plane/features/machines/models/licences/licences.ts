// The accepted licences: by engine for the engines on the list of the specification, and by model for models with a licence card of their own. Such a model
// is downloaded only after a person accepted its licence, and a card must have been shown before.

import type { OwnerSettings } from '#control-plane/store/setting.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { licenceAccepted } from '../models.settings.ts'
import type { Cards } from './cards.ts'

export type Licences = ReturnType<typeof createLicences>
type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly models: readonly CatalogueModel[]
  readonly cards: Pick<Cards, 'wasShown'>
}

/** True if a person must accept the licence of this model before it is downloaded. */
export const needsAcceptance = ({ gated, card }: CatalogueModel): boolean => gated || card !== null

export function createLicences({ settings, models, cards }: Deps) {
  const gated = new Set(models.filter((model) => model.gated).map(({ engine }) => engine))
  const isAccepted = (key: string): boolean => settings.read(licenceAccepted(key)) === 'yes'
  const accept = (key: string, accepted: boolean): Promise<void> => settings.write(licenceAccepted(key), accepted ? 'yes' : 'no')
  const keyOf = ({ id, engine, card }: CatalogueModel): string => (card === null ? engine : id)
  /** Throws BAD_REQUEST for an engine without a gated licence. */
  function gatedEngine(id: string): string {
    const engine = id.trim().toLowerCase()
    if (gated.has(engine)) return engine
    throw new Failure(
      'BAD_REQUEST',
      `The licence of '${engine.slice(0, 64)}' needs no acceptance. Engines whose licence needs it: ${[...gated].join(', ')}.`,
    )
  }
  function refuse({ id, engine, licence }: CatalogueModel, why: string): never {
    const message = `${why} Then accept it with ${COMMAND} models install ${id} --accept-licence or with accept_licence: true.`
    throw new Failure('CONFLICT', message, { detail: { error: 'licence_not_accepted', message, repo_id: id, engine_id: engine, licence } })
  }
  return {
    /** True also for a model whose licence needs no acceptance. */
    isAccepted: (model: CatalogueModel): boolean => !needsAcceptance(model) || isAccepted(keyOf(model)),
    /** The engines whose licence has to be accepted and is not. */
    pending: (): ReadonlySet<string> => new Set([...gated].filter((engine) => !isAccepted(engine))),
    get(id: string) {
      const engine_id = gatedEngine(id)
      return { engine_id, accepted: isAccepted(engine_id) }
    },
    async set(id: string, accepted: boolean) {
      const engine_id = gatedEngine(id)
      await accept(engine_id, accepted)
      return { ok: true as const, engine_id, accepted }
    },
    /** Throws CONFLICT when the licence of `model` must be accepted and is not. `accepting`: this request accepts it. */
    async demand(model: CatalogueModel, accepting: boolean): Promise<void> {
      if (!needsAcceptance(model)) return
      const key = keyOf(model)
      if (isAccepted(key)) return
      const { id, label, licence, note, card } = model
      // A licence that was not shown cannot be accepted.
      if (card !== null && !cards.wasShown(id))
        refuse(model, `${label} has a licence card, which must be shown first: GET /models/card?repo_id=${id}.`)
      if (!accepting)
        refuse(
          model,
          card === null ? `${id} is under ${licence}, which restricts its use. ${note} Read it.` : `Read the licence card of ${label}.`,
        )
      await accept(key, true)
    },
  }
}
