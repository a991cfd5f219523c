// Declares engines: `defineEngine` in the engine's folder, and one line in catalog.ts. The definition parses parameters and refuses
// operations that the engine does not have, so an engine implements only what it can do.
import type { z } from 'zod'
import type { FilesOf } from '#agent/models/manifest.ts'
import { type EngineId, engineRow } from '#shared/engines.ts'
import { type OperationId, parseParams } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Engine, EngineEvent, RunInputs } from './engine.ts'
import type { Verification } from './verification.ts'

export type EngineDeps = {
  readonly clock: Clock
  /** Search path of programs for describe(). '' in a host, where child processes inherit the search path from the environment. */
  readonly path: string
  readonly filesOf: FilesOf
}

export type RunContext = {
  readonly signal: AbortSignal
  /** Empty when the task has none. */
  readonly inputs: RunInputs
  /** One of the models that the engine describes; '' is the default. */
  readonly model: string
  /** Owner of the task. */
  readonly owner: string
}
export type OperationRun = (params: unknown, context: RunContext) => AsyncIterable<EngineEvent>

/** An operation whose parameters are parsed with `schema` before `run` sees them. Throws INVALID_TASK_PARAMS. */
export const withParams =
  <S extends z.ZodType>(schema: S, run: (params: z.output<S>, context: RunContext) => AsyncIterable<EngineEvent>): OperationRun =>
  (params, context) =>
    run(parseParams(schema, params), context)

/** The parts that an engine implements. */
export type EngineParts = Omit<Engine, 'run'> & { readonly operations: Readonly<Partial<Record<OperationId, OperationRun>>> }

export type EngineDefinition<Args extends readonly unknown[] = [EngineDeps], Created extends Engine = Engine> = {
  readonly id: string
  /** Engines of one group share one host process. */
  readonly group: string
  /** Seconds for which a single step may block the main thread of the host; beyond it the host counts as hung. Waiting for a busy machine does not count. */
  readonly maxBlockSeconds: number
  /** The installation can change while the agent runs: the engine is created again for every description. */
  readonly isReloaded?: true
  /** The engine whose downloaded files it reads, where they are not its own. */
  readonly readsFilesOf?: EngineId
  /** Figures that `./studio models verify` compares; absent for engines without weights of their own. */
  readonly verification?: Verification
  /** Cheap: loads nothing. Arguments after the first replace parts of the engine in tests. */
  readonly create: (...args: Args) => Created
}

type Declared<Args extends readonly unknown[], Parts extends EngineParts> = Omit<EngineDefinition<Args>, 'id' | 'group' | 'create'> & {
  readonly id: EngineId
  readonly create: (...args: Args) => Parts
}

/** A definition of an engine in the table of engines, which also gives its group. */
export function defineEngine<Args extends readonly unknown[], Parts extends EngineParts>({
  create,
  ...declared
}: Declared<Args, Parts>): EngineDefinition<Args, Omit<Parts, 'operations'> & Engine> {
  const group = engineRow(declared.id)?.group
  if (!group) throw new Error(`The table of engines names no group for ${declared.id}.`)
  return { ...declared, group, create: (...args) => assembleEngine(declared.id, create(...args)) }
}

/** The engine that `parts` make up. Its run throws OPERATION_UNSUPPORTED for every other operation. */
export function assembleEngine<Parts extends EngineParts>(id: string, { operations, ...parts }: Parts): Omit<Parts, 'operations'> & Engine {
  const byName: Readonly<Record<string, OperationRun | undefined>> = operations
  async function* run(
    operation: string,
    params: unknown,
    signal: AbortSignal,
    inputs: RunInputs = new Map(),
    model = '',
    owner = '',
  ): AsyncGenerator<EngineEvent> {
    const known = Object.hasOwn(byName, operation) ? byName[operation] : undefined
    if (!known) throw new Failure('OPERATION_UNSUPPORTED', `${id} does not support the operation "${operation.slice(0, 32)}".`)
    yield* known(params, { signal, inputs, model, owner })
  }
  return { ...parts, run }
}
