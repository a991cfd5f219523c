// The definition of a layout: the files by which one kind of model is recognised.
import { contractDifferences, type GraphContract } from '#agent/engine/runtimes/onnx/session.ts'
import type { Offered } from './offered.ts'

/** A file of the model: one of those that were offered, or one that is written. `to`: its path in the model. */
export type Planned = { readonly to: string } & ({ readonly from: Offered } | { readonly text: string })
export type Plan = {
  /** Proposed as the name of the model. */
  readonly named: string
  readonly files: readonly Planned[]
  /** An archive of voices whose tables become a file each in the folder `voices`, if their names are wanted. */
  readonly voices?: { readonly archive: Offered; readonly wanted: RegExp }
}
/** The files are of this kind, but not all are there or usable: what is missing, as a noun. */
export type Lack = { readonly lacks: string }
export type ModelLayout = {
  readonly engine: string
  /** Default: TTS. */
  readonly role?: 'ASR'
  /** For people. */
  readonly kind: string
  /** Null for files of another kind. */
  readonly find: (look: Look) => Promise<Plan | Lack | null>
}
/** Inputs of a layout. */
export type Look = {
  readonly files: readonly Offered[]
  /** The name of the model in tasks, for a proposed one. */
  readonly modelFor: (named: string) => string
  /** The content of a small JSON file; undefined for another file. It is read each time, so only files with a fitting name are. */
  readonly jsonOf: (file: Offered) => Promise<unknown>
}

export const lacks = (what: string): Lack => ({ lacks: what })

/** More inputs than the engine knows are never right, and comparing a thousand takes long. */
export const fitsContract = ({ graph }: Offered, contract: GraphContract): boolean =>
  graph !== null && graph.inputs.length <= contract.inputs.length && contractDifferences(graph, contract).length === 0

/** True if it is a graph with all of these inputs. */
export const takes = ({ graph }: Offered, ...inputs: readonly string[]): boolean =>
  graph !== null && inputs.every((name) => graph.inputs.some((slot) => slot.name === name))

/** True if it is a graph with all of these outputs. */
export const gives = ({ graph }: Offered, ...outputs: readonly string[]): boolean =>
  graph !== null && outputs.every((name) => graph.outputs.some((slot) => slot.name === name))
