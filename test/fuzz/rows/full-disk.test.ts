// A data folder on a disk that is full to its last block: no write is an unexpected error, and writes work as soon as there is space.
import assert from 'node:assert/strict'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { openWorld } from '#test/support/world/world.ts'
import { validWrites } from './rows.ts'

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096, 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

test('no write on a full disk is an unexpected error', {
  skip: !mayMount && 'only root may mount a small disk',
  timeout: 600_000,
}, async (t) => {
  const disk = smallDisk(t, 'size=64m')
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: disk } })
  const filler = join(disk, 'filler')
  const statuses = await validWrites(world, () => fill(filler))
  const refused = Object.keys(statuses).filter((id) => statuses[id] === 507)
  t.diagnostic(`${refused.length} routes answer 507`)
  for (const id of ['library.starTake', 'library.removeTake', 'library.clearHistory', 'workers.rotateAuthority'])
    assert.ok(refused.includes(id), `${id}: ${statuses[id]}`)
  rmSync(filler)
  assert.equal((await world.delete('/history')).status, 200)
})
