// A pool with real machines, and studios that are attached to it.
import assert from 'node:assert/strict'
import type { Ending } from '#test/support/world/process.ts'
import { eventually, freePort, type Machine, openWorld, type World } from '#test/support/world/world.ts'

const POOL = {
  STUDIO_ROLE: 'pool',
  STUDIO_POOL_NAME: 'lab pool',
  STUDIO_POOL_OPERATOR: 'Example University',
  STUDIO_POOL_PLACES: 'Germany, France',
}

/** A pool whose operator has approved machines of these names. */
export async function openPool(t: Ending, machines: readonly string[]): Promise<{ pool: World; inside: Machine[] }> {
  const pool = await openWorld(t, { impatient: true, fixedPort: true, env: { ...POOL, STUDIO_INBOUND_PORT: String(await freePort()) } })
  const inside: Machine[] = []
  for (const name of machines) {
    const machine = await pool.machine(name)
    await pool.approve(machine)
    inside.push(machine)
  }
  return { pool, inside }
}

/** Attaches a studio to the pool with a string of its own, without approval. Resolves with the id of the pool there. */
export async function attach(pool: World, studio: World, label: string): Promise<string> {
  const key = await pool.post('/workers/inbound/keys', { label })
  assert.equal(key.status, 200, String(key.body))
  const added = await studio.post('/workers/inbound/connections', { connection_string: key.json().connection_string })
  assert.equal(added.status, 200, String(added.body))
  return eventually(async () => {
    const { workers } = (await studio.get('/workers')).json()
    return workers.find(({ name, connected }: { name: string; connected: boolean }) => name === 'lab pool' && connected)?.id
  })
}
