// The cost of a pool between a studio and a machine: one task of four seconds of test sound (192 KB) through studio and pool, beside the same task
// that is given to the pool itself, and beside the local agent of the studio.
import { attach, openPool } from '#test/support/peers/pool.ts'
import { openWorld, type World } from '#test/support/world/world.ts'
import { flood, interleave, quantile, row, title } from './support/rounds.ts'

const ROUNDS = 9
const TASKS = 40
const params = { segments: [{ text: 'A tone.', seed: 1 }], ms_per_part: 4_000, piece_ms: 100 }

export async function run(): Promise<void> {
  const endings: (() => unknown)[] = []
  const t = { after: (end: () => unknown) => void endings.push(end) }
  try {
    const { pool } = await openPool(t, ['rack-01'])
    const studio = await openWorld(t, { remote: true })
    const id = await attach(pool, studio, 'bench')
    await studio.post(`/workers/${id}/consent`)
    const tasks = (world: World, target: string) => async () => {
      await world.post('/workers/target', { target })
      const { each } = await flood(TASKS, 1, async () => {
        const { status, body } = await world.task({ engine: 'tone', params })
        if (status !== 200) throw new Error(`${status} ${body}`)
      })
      return quantile(each, 0.5)
    }
    title('One task of 192 KB of sound, one at a time')
    const values = await interleave(ROUNDS, {
      hop: tasks(studio, id),
      pool: tasks(pool, 'auto'),
      local: tasks(studio, 'local'),
    })
    row('through studio and pool, to the same on the pool, p50', values.hop, values.pool, 'ms ', 'at most 1.30')
    row('through studio and pool, to the own agent, p50', values.hop, values.local, 'ms ', '')
  } finally {
    for (const end of endings.reverse()) await end()
  }
}
