// The recurrent states of a network: tensors that a step returns under one name and the next step takes under another. A file beside the
// graph lists their names, sizes and initial values.

import { z } from 'zod'
import type { ExpectedTensor, Tensor } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const MAX_STATES = 1_024
const MAX_ELEMENTS = 256 * 1024 ** 2
export const StateName = z.string().min(1).max(200)
export const Dims = z
  .array(
    z
      .int()
      .min(0)
      .max(2 ** 24),
  )
  .max(8)
  .refine((dims) => dims.reduce((product, size) => product * size, 1) <= MAX_ELEMENTS / 4, 'too large')

export type StateType = 'float32' | 'int64' | 'int32' | 'bool'
export type State = {
  readonly input: string
  readonly output: string
  readonly type: StateType
  readonly dims: readonly number[]
  readonly fill: number
  /** Its size may grow from step to step. */
  readonly isDynamic?: boolean
}
export type Memory = Readonly<Record<string, Tensor>>

export const elementCount = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1)

export function filledTensor({ type, dims, fill }: Pick<State, 'type' | 'dims' | 'fill'>): Tensor {
  const count = elementCount(dims)
  if (type === 'float32') return { type, dims, values: new Float32Array(count).fill(fill) }
  if (type === 'int64') return { type, dims, values: new BigInt64Array(count).fill(BigInt(fill)) }
  if (type === 'int32') return { type, dims, values: new Int32Array(count).fill(fill) }
  return { type, dims, values: new Uint8Array(count).fill(fill) }
}

export const initialMemory = (states: readonly State[]): Memory =>
  Object.fromEntries(states.map((state) => [state.input, filledTensor(state)]))

/** The memory after a step. Tensors are passed on without a copy. Throws WORKER_FAILED. */
export function nextMemory(states: readonly Pick<State, 'input' | 'output'>[], outputs: Readonly<Record<string, Tensor>>): Memory {
  return Object.fromEntries(
    states.map(({ input, output }) => {
      const made = outputs[output]
      if (!made) throw new Failure('WORKER_FAILED', `The graph returned no state named ${output}.`)
      return [input, made]
    }),
  )
}

/** Tensors of the states for the contract of their graph. Dynamic sizes match any size. */
export const expectedInputs = (states: readonly State[]): ExpectedTensor[] =>
  states.map(({ input, type, dims, isDynamic }) => ({ name: input, type, rank: dims.length, ...(isDynamic ? {} : { dims }) }))
export const expectedOutputs = (states: readonly State[]): ExpectedTensor[] =>
  states.map(({ output, type, dims }) => ({ name: output, type, rank: dims.length }))

/** True if all states together fit into memory; checked before any of them is allocated. */
export const isWithinLimit = (states: readonly { readonly dims: readonly number[] }[]): boolean =>
  states.reduce((sum, { dims }) => sum + elementCount(dims), 0) <= MAX_ELEMENTS
