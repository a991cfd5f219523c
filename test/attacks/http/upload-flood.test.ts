// Uploads that are never finished, together larger than the disk. They must leave the free space that the database needs, and an upload
// that is refused must say so.

import assert from 'node:assert/strict'
import { globSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { type ClientRequest, request as open } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'

const DISK_MIB = 24
const RESERVE_MIB = DISK_MIB * 0.05
const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n'

const mounting = { skip: !mayMount && 'only root may mount a small disk' }
test('unfinished uploads leave a part of the disk free, and the studio goes on working', mounting, async (t) => {
  const disk = smallDisk(t, `size=${DISK_MIB}m`)
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: disk } })
  const { port } = new URL(world.url)
  const statuses: number[] = []
  const calls: ClientRequest[] = []
  t.after(() => {
    for (const call of calls) call.destroy()
  })
  const uploads = join(disk, 'uploads')
  // readdir fails when the folder of a refused upload is deleted meanwhile.
  const written = () =>
    globSync('*/*', { cwd: uploads })
      .map((name) => statSync(join(uploads, name), { throwIfNoEntry: false }))
      .reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0)
  const free = () => {
    const { bavail, bsize } = statfsSync(disk)
    return (bavail * bsize) / MIB
  }

  // One after the other: several that fail at once would free the space again.
  for (let held = 1; statuses.length < 3; held++) {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const call = open({ port, host: '127.0.0.1', method: 'POST', path: '/v1/audio/transcriptions', headers })
    const refused = statuses.length
    call.on('error', () => {})
    call.on('response', (response) => {
      statuses.push(response.statusCode ?? 0)
      response.resume()
    })
    calls.push(call)
    call.write(HEAD)
    call.write(Buffer.alloc(MIB)) // and never ends
    // The parser holds back as many bytes as a boundary may need.
    await eventually(() => statuses.length > refused || written() >= (held - statuses.length) * (MIB - 1_024))
    assert.ok(free() >= RESERVE_MIB - 0.25, `${free()} MiB of ${DISK_MIB} are free`)
  }
  assert.deepEqual(new Set(statuses), new Set([507]))
  const take = await world.send('POST', '/generate', form({ text: 'A take while the disk is under attack.', engine: 'tone' }))
  assert.equal(take.status, 200, take.body.toString().slice(0, 300))

  for (const call of calls) call.destroy()
  await eventually(() => readdirSync(uploads).length === 0)
  assert.ok(free() > DISK_MIB / 2)
})
