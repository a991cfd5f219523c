// Twenty kills of the database of a pool under load. The short form is in test/control-plane/store/postgres.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killServer } from '#test/support/postgres/kills.ts'
import { withoutPostgres } from '#test/support/postgres/server.ts'

const KILLS = Number(process.env['VOICE_STUDIO_LONG_KILLS'] ?? 20)

test(`${KILLS} kills of the database under load lose no confirmed task`, { skip: withoutPostgres }, async (t) => {
  const { confirmed, unknown } = await killServer(KILLS)
  t.diagnostic(`${confirmed} confirmed tasks, ${unknown} batches without an answer`)
  assert.ok(unknown >= KILLS / 2, `${unknown} batches without an answer`)
})
