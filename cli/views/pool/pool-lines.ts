// A pool for people: its terms, the reason why its approval has ended, its use, and the machines behind it.
import type { z } from 'zod'
import { workersContracts } from '#control-plane/features/machines/workers/workers.contract.ts'
import { tableLines } from '../table.ts'

export const PoolAnswer = workersContracts.readPool.reply
type Shown = Pick<z.output<typeof workersContracts.grantConsent.reply>, 'pool' | 'lapsed'>
type Pool = NonNullable<Shown['pool']>
type PoolRow = Shown & { readonly pool: Pool; readonly label: string; readonly state: string; readonly latency_ms: number }

const placesOf = ({ places }: Pick<Pool, 'places'>) => places.join(', ') || 'places that it does not name'
const operatorOf = ({ operator, contact }: Pool) => [operator, contact].filter(Boolean).join(', ') || 'not named'
const versionsOf = ({ oldest_version: oldest, newest_version: newest }: Pool) =>
  newest === '' ? 'not known' : oldest === newest ? newest : `${oldest} to ${newest}`

/** The terms that a person approves. */
export const termLines = (pool: Pool): string[] => [
  `Operator:  ${operatorOf(pool)}`,
  `Location:  ${placesOf(pool)}`,
  `Machines:  ${pool.machines}`,
  `Can read:  ${pool.reads_inputs ? 'the texts, samples and sound that you send' : 'nothing, says the operator'}`,
  `Keeps:     ${pool.keeps === '' ? 'nothing after a job, says the operator' : `${pool.keeps}, says the operator`}`,
]

/** Reason why the approval has ended; '' if a declaration did not end it. */
export function lapsedText({ pool, lapsed }: Shown): string {
  if (lapsed === null) return ''
  const sentences = {
    kind: pool ? 'It is a pool now.' : 'It is no longer a pool.',
    operator: `Its operator is now ${pool?.operator || 'not named'}.`,
    places: `Its machines are now in ${pool ? placesOf(pool) : ''}.`,
    reads_inputs: pool?.reads_inputs
      ? 'Its operator can now read what is sent.'
      : 'Its operator says that it no longer reads what is sent.',
  }
  const changes = lapsed.changed.map((change) => sentences[change])
  return [...(changes.length > 0 ? changes : ['It had declared other terms meanwhile.']), 'Its approval has ended.'].join(' ')
}

export function poolLines(row: PoolRow, { machines, use }: z.output<typeof PoolAnswer>): string[] {
  const { pool, lapsed } = row
  const all = use ? use.own + use.others + use.free : 0
  return [
    `${row.label}: a pool, ${row.state}`,
    ...(lapsed === null ? [] : [lapsedText(row)]),
    ...termLines(pool),
    `Versions:  ${versionsOf(pool)}${pool.older > 0 ? ` (${pool.older} are older)` : ''}`,
    `Latency:   ${row.latency_ms > 0 ? `${row.latency_ms} ms` : 'not known'}`,
    `Your use:  ${use ? `${use.own} of ${all} places, ${use.others} used by others, ${use.free} free` : 'not known'}`,
    `Wait:      ${use ? `usually ${(use.wait_ms / 1000).toFixed(1)} s` : 'not known'}`,
    '',
    ...(machines.length === 0
      ? ['Its machines are shown while it is connected.']
      : tableLines(
          ['NAME', 'STATE', 'BUSY', 'VERSION', 'GPU'],
          machines.map(({ name, state, busy, permits, version, gpu }) => ({
            cells: [name, state, `${busy}/${permits}`, version || '-', gpu || '-'],
          })),
          [24, 9, 9, 9, 24],
        )),
  ]
}
