// The capabilities of a pool: those of its machines together. Pure.

import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { CapabilityMessage } from '#shared/protocol/messages.ts'

/** A capability as its machine describes it; an older machine leaves some fields out. */
export type MachineRow = Readonly<CapabilityMessage>
type Offered = Pick<MachineRow, 'engine' | 'operation' | 'model' | 'supported' | 'installed' | 'downloaded' | 'model_digest'>
type Choice = { readonly engine: string; readonly model: string; readonly operation: string; readonly modelDigest?: string }

/** More concurrent attempts are no valid description. */
const MOST_PERMITS = 1_024
const MOST_ROWS = 1_000
const MOST_VOICES = 5_000

const keyOf = ({ engine, model, operation, model_digest = '' }: MachineRow): string => [engine, model, operation, model_digest].join('\n')
const canRun = ({ supported, installed, downloaded }: Pick<MachineRow, 'supported' | 'installed' | 'downloaded'>): boolean =>
  supported && installed && downloaded

/**
 * One row for each operation of each model, by the digest of its files (ADR 0023), with the permits of all machines added up. A machine with
 * a substitute does not speak for one with the engine itself. `machines`: the capabilities of each machine that may get work.
 */
export function unionOf(machines: Iterable<readonly MachineRow[]>): Wire<'Capability'>[] {
  const rows = new Map<string, Wire<'Capability'>>()
  for (const capabilities of machines)
    for (const each of capabilities) {
      const key = keyOf(each)
      const known = rows.get(key)
      if (!known) rows.set(key, rowOf(each))
      else if (canRun(each) && canRun(known) && (each.stands_in === '') === (known.stands_in === '')) addTo(known, each)
      else if (canRun(each) && (!canRun(known) || each.stands_in === '')) rows.set(key, rowOf(each))
    }
  return [...rows.values()].slice(0, MOST_ROWS)
}

/** A voice or language that only some machines have is placed on one of them. */
function addTo(row: Wire<'Capability'>, each: MachineRow): void {
  row.permits = Math.min(MOST_PERMITS, row.permits + each.permits)
  row.languages = [...new Set([...row.languages, ...each.languages])].slice(0, MOST_ROWS)
  const known = new Set(row.voices.map(({ id }) => id))
  if (each.voices.some(({ id }) => !known.has(id)))
    row.voices = [...row.voices, ...rowOf(each).voices.filter(({ id }) => !known.has(id))].slice(0, MOST_VOICES)
  row.cloning ||= each.cloning
  row.continues &&= each.continues === true
  row.streams &&= each.streams === true
}

const rowOf = ({
  languages,
  scripts = [],
  voices,
  phones = '',
  model_digest = '',
  continues = false,
  streams = false,
  ...rest
}: MachineRow): Wire<'Capability'> => ({
  ...rest,
  languages: [...languages],
  scripts: [...scripts],
  voices: voices.map(({ default_for = [], ...voice }) => ({ ...voice, default_for: [...default_for] })),
  phones,
  model_digest,
  continues,
  streams,
})

/** Concurrent attempts of an engine, whichever of its models they use. */
export function engineSlots(machines: Iterable<readonly MachineRow[]>, engine: string): number {
  let sum = 0
  for (const capabilities of machines)
    sum += capabilities.reduce((most, each) => (each.engine === engine && canRun(each) ? Math.max(most, each.permits) : most), 0)
  return sum
}

/** Throws why no machine of the pool can run it: OPERATION_UNSUPPORTED, MODEL_REF_REJECTED, MODEL_NOT_DOWNLOADED, MODEL_DIGEST_MISMATCH. */
export function requireOffer(rows: readonly Offered[], { engine, model, operation, modelDigest = '' }: Choice): void {
  const offered = rows.filter((row) => row.engine === engine && row.operation === operation)
  if (offered.length === 0)
    throw new Failure('OPERATION_UNSUPPORTED', `No machine of the pool has an engine ${engine} that supports ${operation}.`)
  const matching = offered.filter((row) => row.model === model)
  if (matching.length === 0) throw new Failure('MODEL_REF_REJECTED', `The engine ${engine} has no such model on the machines of the pool.`)
  const ready = matching.filter(canRun)
  if (ready.length === 0)
    throw new Failure('MODEL_NOT_DOWNLOADED', `No machine of the pool has the files of the model ${model || `of ${engine}`}.`)
  if (modelDigest !== '' && !ready.some((row) => row.model_digest === modelDigest))
    throw new Failure('MODEL_DIGEST_MISMATCH', `The model ${model || `of ${engine}`} has other files in the pool than the task requires.`)
}
