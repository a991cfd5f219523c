// The shape of an operation: the contract between the studio, which sends parameters and reads the result, and an engine on some agent,
// which does the reverse. Both programs validate with the same schemas, and neither trusts the other.
//
// Versions: the two programs may differ in age. A reader drops result fields that it does not know; a new parameter is optional, and the
// studio sends it only where the capability of the machine announces it.
import type { z } from 'zod'

/** Context of the parameters. `seconds`: length of the recording, 0 without one. */
export type Given = { readonly seconds: number }
/**
 * Measured facts about a worker's delivery, and `units` of the task: 0 if the length of its recording is unknown. `isOutput` is true if the
 * output is this text in UTF-8.
 */
export type Delivered = { readonly outputBytes: number; readonly isOutput: (text: string) => boolean; readonly units: number }
/** `pieces`: messages in which the output arrives. */
export type OutputLimit = { readonly bytes: number; readonly pieces: number }

export type Operation<Id extends string = string, P extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> = {
  readonly id: Id
  /** Strict: unknown parameters are refused. An engine may extend it. */
  readonly params: P
  /** Unknown fields are dropped. */
  readonly result: R
  /** The quantity that the predicted finish time grows with: characters of text, or seconds of audio. */
  units(params: z.output<P>, given: Given): number
  /** Most parts of the output; 0: the operation returns its result and no bytes. */
  parts(params: z.output<P>): number
  /** Limits of the output. Beyond them the attempt fails before its end. `units`: as in `Delivered`. */
  outputLimit(params: z.output<P>, units: number): OutputLimit
  /** The output is usually larger than a small message, so it travels apart from the messages of other tasks from the start. */
  readonly hasLargeOutput: boolean
  /** Contradiction of the result with the parameters or the output; null without one. */
  objection(result: z.output<R>, params: z.output<P>, delivered: Delivered): string | null
}

type Declared<Id extends string, P extends z.ZodObject, R extends z.ZodType> = Pick<
  Operation<Id, P, R>,
  'id' | 'params' | 'result' | 'units'
> &
  Partial<Operation<Id, P, R>>

const UNLIMITED: OutputLimit = { bytes: Number.POSITIVE_INFINITY, pieces: Number.POSITIVE_INFINITY }
/** Declares an operation. Without `parts` it has no output; without `objection` its schema says everything. */
export const operation = <const Id extends string, P extends z.ZodObject, R extends z.ZodType>(
  declared: Declared<Id, P, R>,
): Operation<Id, P, R> => ({ parts: () => 0, outputLimit: () => UNLIMITED, hasLargeOutput: false, objection: () => null, ...declared })
