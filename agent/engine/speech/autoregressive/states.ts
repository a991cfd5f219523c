// What a network remembers from one step to the next: tensors that go in under one name and come out under another. Which ones, how large
// and with what they begin is told by a file beside the graph.

import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { ExpectedTensor, Tensor } from '../../runtimes/onnx/session.ts'

export const MOST_STATES = 1_024
const MOST_VALUES = 256 * 1024 ** 2
export const StateName = z.string().min(1).max(200)
export const Dims = z
  .array(
    z
      .int()
      .min(0)
      .max(2 ** 24),
  )
  .max(8)
  .refine((dims) => dims.reduce((product, size) => product * size, 1) <= MOST_VALUES / 4, 'too large')

export type StateType = 'float32' | 'int64' | 'int32' | 'bool'
export type State = {
  readonly input: string
  readonly output: string
  readonly type: StateType
  readonly dims: readonly number[]
  readonly fill: number
  /** A size may grow from step to step. */
  readonly isOpen?: boolean
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

/** The memory after a step; what the graph gave is the next step's own, nothing is copied. */
export function nextMemory(states: readonly Pick<State, 'input' | 'output'>[], outputs: Readonly<Record<string, Tensor>>): Memory {
  return Object.fromEntries(
    states.map(({ input, output }) => {
      const made = outputs[output]
      if (!made) throw new Failure('WORKER_FAILED', `the graph gave no state named ${output}`)
      return [input, made]
    }),
  )
}

/** The slots of the states, for the contract of their graph. Sizes that an export leaves open fit any. */
export const expectedInputs = (states: readonly State[]): ExpectedTensor[] =>
  states.map(({ input, type, dims, isOpen }) => ({ name: input, type, rank: dims.length, ...(isOpen ? {} : { dims }) }))
export const expectedOutputs = (states: readonly State[]): ExpectedTensor[] =>
  states.map(({ output, type, dims }) => ({ name: output, type, rank: dims.length }))

/** A memory of more than this in all would not fit; refused before anything of it is made. */
export const isModest = (states: readonly { readonly dims: readonly number[] }[]): boolean =>
  states.reduce((sum, { dims }) => sum + elementCount(dims), 0) <= MOST_VALUES
