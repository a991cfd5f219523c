import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createDescribe, freeDisk, freeMemory } from '#agent/connection/fingerprint.ts'
import { DescriptionMessage } from '#shared/protocol/messages.ts'
import { openPool } from '../engine/host/open-pool.ts'

test('free disk is the writable space, and unknown where it cannot be measured', async () => {
  const free = await freeDisk(tmpdir())
  assert.ok(Number.isSafeInteger(free) && free >= 1)
  assert.equal(await freeDisk('/nowhere/at/all'), 0)
})

test('free memory of a full machine is not reported as 0, which means unknown', () => {
  assert.ok(freeMemory() > 0 || process.platform === 'darwin')
})

test('the description of a machine passes the schema of the studio, with the memory of each model', async (t) => {
  const { pool } = await openPool(t)
  const description = DescriptionMessage.parse(
    await createDescribe(
      pool,
      () => 3,
      'ab12',
      () => 5,
    )(),
  )
  const needs = new Map(description.capabilities.map(({ engine, model, memory_bytes }) => [`${engine}:${model}`, memory_bytes]))
  assert.equal(needs.get('probe:'), 0)
  for (const key of ['svc-engine:', 'tone:']) assert.ok(needs.get(key)! > 2 ** 26 && needs.get(key)! < 2 ** 29, key)
  assert.ok(needs.get('tone:vast')! > description.host.memory_bytes)
})
