import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killServer } from '#test/support/postgres/kills.ts'
import { withoutPostgres } from '#test/support/postgres/server.ts'

test('three kills of the database under load lose no confirmed task', { skip: withoutPostgres }, async () => {
  const { unknown } = await killServer(3)
  assert.ok(unknown >= 1, `${unknown} batches without an answer`)
})
