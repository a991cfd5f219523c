// Models of an engine that can be verified. They are announced like every other operation, so that the studio sends a verification only to
// an agent that has the model and supports the operation.
import type { EngineDefinition } from '#agent/engine/seam/define.ts'
import type { Capability } from '#agent/engine/seam/engine.ts'
import { catalogueModels, modelsToFind } from '#agent/engine/seam/model-files.ts'
import type { FilesOf } from '#agent/models/manifest.ts'

/** `described`: the capabilities of the engine. A substitute and a model that is not downloaded cannot be verified. */
export function verifiable({ id, verification }: EngineDefinition, described: readonly Capability[], filesOf: FilesOf): Capability[] {
  const real = described.filter(({ supported, downloaded, standsIn }) => supported && downloaded && standsIn === null)
  const [first] = real
  if (!verification || !first) return []
  // The catalogue has models that an engine does not describe, such as another language of the same engine.
  const named = modelsToFind(filesOf, id).filter((model) => filesOf(id, model) !== null)
  const models = new Set([...real.map(({ model }) => model), ...named])
  // A model of the catalogue that is not here: '' stands for another one, which has a name.
  if (catalogueModels(id).includes('') && !named.includes('')) models.delete('')
  return [...models].map((model) => ({
    ...(real.find((row) => row.model === model) ?? first),
    model,
    operation: 'verify',
    // A missing program is one of the things that the report names.
    installed: true,
    languages: [],
    voices: [],
    cloning: false,
  }))
}
