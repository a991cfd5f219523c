// The models of a pool for its tenants: they see what its machines have, and the operator installs and removes.
import type { ModelStore } from '#agent/models/store.ts'
import { catalogueOf } from '#shared/models/catalogue.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { MachineRow } from './offered.ts'

const refused = () => new Failure('CONFLICT', 'The operator of the pool installs and removes its models.')
const refuse = (): never => {
  throw refused()
}
const NO_SPACE = {
  filesBytes: 0,
  limitBytes: 0,
  isChosen: true,
  shareBytes: 0,
  usedBytes: 0,
  usedBy: () => 0,
  expectedBytes: 0,
  expectedBy: () => 0,
}

type Deps = { readonly described: () => readonly (readonly MachineRow[])[]; readonly changes: () => number; readonly development: boolean }

/** A model counts as installed if a machine of the pool offers it. */
export function createPoolModels({ described, changes, development }: Deps): ModelStore {
  const models = catalogueOf(development)
  return {
    filesOf: () => null,
    digestOf: () => '',
    generation: changes,
    inventory() {
      const offered = new Set(
        described().flatMap((rows) => rows.flatMap(({ engine, model, downloaded }) => (downloaded ? [`${engine}\n${model}`] : []))),
      )
      return models.map(({ id, engine, model }) => ({
        id,
        supported: true,
        installed: offered.has(`${engine}\n${model}`),
        incomplete: false,
        installing: false,
        size_bytes: 0,
        files: 0,
      }))
    },
    install: refuse,
    stopInstall: () => false,
    stopAll() {},
    putFile: async () => refuse(),
    add: async () => refuse(),
    remove: async () => refuse(),
    lentSpace: async () => NO_SPACE,
    removeOfOthers: async () => refuse(),
    stop: async () => {},
  }
}
