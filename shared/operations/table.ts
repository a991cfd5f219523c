// Every operation by its id, and the two ways in which foreign parameters and results are read.
import type { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanJson, cleanLines } from '#shared/protocol/fields/clean-text.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { align } from './align.ts'
import { asr } from './asr.ts'
import { denoise } from './denoise.ts'
import { diarize } from './diarize.ts'
import { identify } from './identify.ts'
import type { Delivered, Operation, OutputLimit } from './operation.ts'
import { probe } from './probe.ts'
import { separate } from './separate.ts'
import { translate } from './translate.ts'
import { tts } from './tts.ts'
import { vad } from './vad.ts'
import { verifyModel } from './verify.ts'

export const OPERATIONS = { tts, asr, vad, denoise, align, diarize, identify, separate, translate, verify: verifyModel, probe } as const
export type Operations = typeof OPERATIONS
export type OperationId = keyof Operations
export type ParamsOf<Id extends OperationId> = z.output<Operations[Id]['params']>
/** The parameters as a caller writes them: those with a default may be left out. */
export type ParamsInput<Id extends OperationId> = z.input<Operations[Id]['params']>
export type ResultOf<Id extends OperationId> = z.output<Operations[Id]['result']>

export const PARAMS_BYTES = 1024 * 1024
export const RESULT_BYTES = 1024 * 1024
/** The deepest result, a word of a segment of a transcript, has five levels. */
const RESULT_DEPTH = 16

export const isOperation = (id: string): id is OperationId => Object.hasOwn(OPERATIONS, id)

const FIELDS_NAMED = 5
/** Field and complaint for the first few issues. Values are not repeated: they may be the text of a user. */
const complaintsOf = ({ issues }: z.ZodError, root: string): string[] =>
  issues.slice(0, FIELDS_NAMED).map(({ path, message }) => `${path.join('.') || root}: ${message}`)

/** The parsed parameters. Throws INVALID_TASK_PARAMS, which names each wrong field in its message and in `detail.fields`. */
export function parseParams<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const fields = complaintsOf(parsed.error, 'params')
  throw new Failure('INVALID_TASK_PARAMS', fields.join('; '), { detail: { fields } })
}

/** Parameters from the wire, not yet validated by a schema. Throws INVALID_TASK_PARAMS. */
export function readParams(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, { bytes: PARAMS_BYTES })
  } catch (cause) {
    throw new Failure('INVALID_TASK_PARAMS', 'the parameters are not JSON that can be read', { cause })
  }
}

// Built once: a schema is compiled at its first use.
const OWN_PARAMS = new Map<string, z.ZodType>(Object.values(OPERATIONS).map(({ id, params }: Operation) => [id, params.strip()]))

/**
 * The operation's own parameters among those of a stored task, which may have further ones of a single engine; null when they are not
 * parameters of the operation, so that no engine can have run them.
 */
function ownParams({ id }: Operation, text: string): z.output<Operation['params']> | null {
  const { success, data } = OWN_PARAMS.get(id)!.safeParse(JSON.parse(text))
  return success ? (data as z.output<Operation['params']>) : null
}

const NO_OUTPUT = { parts: 0, bytes: 0, pieces: 0 }
/** Limits of a task's output; no parts for no output at all. `params`: its JSON text. */
export function outputLimitOf(id: string, params: string, units: number): OutputLimit & { readonly parts: number } {
  if (!isOperation(id)) return NO_OUTPUT
  const operation: Operation = OPERATIONS[id]
  const own = ownParams(operation, params)
  return own === null ? NO_OUTPUT : { parts: operation.parts(own), ...operation.outputLimit(own, units) }
}

const invalid = (why: string, cause?: unknown) => new Failure('INVALID_RESULT', `The result is not valid: ${why}.`, { cause })

/**
 * The result that a worker sent, without the fields that are not known here. `params`: JSON text of the task. Throws INVALID_RESULT. Size and depth are limited before the bytes are parsed.
 */
export function readResult(id: string, bytes: Uint8Array, task: Delivered & { readonly params: string }): unknown {
  if (!isOperation(id)) throw invalid(`there is no operation ${id}`)
  const operation: Operation = OPERATIONS[id]
  let value: unknown
  try {
    value = cleanJson(parseJson(bytes, { bytes: RESULT_BYTES, depth: RESULT_DEPTH }), cleanLines)
  } catch (cause) {
    throw invalid(cause instanceof RangeError ? cause.message : 'it is not JSON', cause)
  }
  const parsed = operation.result.safeParse(value)
  if (!parsed.success) throw invalid(complaintsOf(parsed.error, 'result').join('; '))
  const params = ownParams(operation, task.params)
  if (params === null) throw invalid('the task has no valid parameters')
  const objection = operation.objection(parsed.data, params, task)
  if (objection !== null) throw invalid(objection)
  return parsed.data
}

/** A result that was committed: JSON text that `readResult` accepted once. Throws INVALID_RESULT for one of another version that does not fit. */
export function storedResult<Id extends OperationId>(id: Id, text: string): ResultOf<Id> {
  const parsed = OPERATIONS[id].result.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data as ResultOf<Id>
  throw new Failure(
    'INVALID_RESULT',
    `The stored result of this ${id} task cannot be read: ${complaintsOf(parsed.error, 'result').join('; ')}.`,
  )
}
