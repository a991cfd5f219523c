// The accepted licences by engine. A model of an engine on the list of the specification is downloaded only after a person accepted it.
import type { CatalogueModel } from '#shared/models/model.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { OwnerSettings } from '../../store/setting.ts'
import { licenceAccepted } from './models.settings.ts'

export type Licences = ReturnType<typeof createLicences>

export function createLicences({
  settings,
  models,
}: {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly models: readonly CatalogueModel[]
}) {
  const gated = new Set(models.filter((model) => model.gated).map(({ engine }) => engine))
  const isAccepted = (engine: string): boolean => settings.read(licenceAccepted(engine)) === 'yes'
  /** Throws BAD_REQUEST for an engine without a gated licence. */
  function gatedEngine(id: string): string {
    const engine = id.trim().toLowerCase()
    if (gated.has(engine)) return engine
    throw new Failure(
      'BAD_REQUEST',
      `The licence of '${engine.slice(0, 64)}' needs no acceptance. Engines whose licence needs it: ${[...gated].join(', ')}.`,
    )
  }
  const accept = (engine: string, accepted: boolean): Promise<void> => settings.write(licenceAccepted(engine), accepted ? 'yes' : 'no')
  return {
    isAccepted,
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
    async demand({ id, engine, licence, note, gated: isGated }: CatalogueModel, accepting: boolean): Promise<void> {
      if (!isGated) return
      if (accepting) await accept(engine, true)
      if (isAccepted(engine)) return
      const message = `${id} is under ${licence}, which restricts its use. ${note} Read it, then accept it with ./studio models install ${id} --accept-licence or with accept_licence: true.`
      throw new Failure('CONFLICT', message, {
        detail: { error: 'licence_not_accepted', message, repo_id: id, engine_id: engine, licence },
      })
    },
  }
}
