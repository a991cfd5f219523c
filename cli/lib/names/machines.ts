// The machines of the running studio, and finding one of them by the name that a person typed.

import { FleetAnswer, TargetAnswer, type WorkerRow, workerRows } from '#cli/views/worker-views.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Environment } from '../command.ts'
import { requestJson } from '../studio/api.ts'

export async function readMachines(env: Environment) {
  // The answer comes when the agent of the studio's machine is connected, if the studio has just started.
  await requestJson(env, 'GET', '/v1/models')
  const targets = TargetAnswer.parse(await requestJson(env, 'GET', '/workers/target'))
  const fleet = FleetAnswer.parse(await requestJson(env, 'GET', '/workers'))
  return { targets, fleet, rows: workerRows(targets, fleet) }
}

/** By id, or by name in any case. A name that several machines have is refused. */
export function findMachine(rows: readonly WorkerRow[], nameOrId: string): WorkerRow {
  const exact = rows.find(({ id }) => id === nameOrId)
  if (exact) return exact
  const named = rows.filter(({ label }) => label.toLowerCase() === nameOrId.toLowerCase())
  if (named.length === 1) return named[0]!
  const ids = named.map(({ id }) => id).join(', ')
  if (named.length > 1)
    throw new Failure('CONFLICT', `${named.length} machines are named ${nameOrId}. Use one of these ids instead: ${ids}`)
  throw new Failure('NOT_FOUND', `There is no machine named ${nameOrId}. The machines are: ${rows.map(({ label }) => label).join(', ')}`)
}

export const machineNamed = async (env: Environment, nameOrId: string): Promise<WorkerRow> =>
  findMachine((await readMachines(env)).rows, nameOrId)
