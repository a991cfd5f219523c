import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { openLedger } from '#test/support/doubles/ledger.ts'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('audit shows and verifies the log while the database is in use', async (t) => {
  const { folder, workers, commits } = openLedger(t)
  const audit = (dataDir: string, ...args: string[]) => studio(['audit', ...args], { env: { STUDIO_DATA_DIR: dataDir } })
  workers.revoke('w1')
  commits.flush()
  const verified = await audit(folder, 'verify')
  assert.equal(verified.code, 0, verified.errors)
  const head = verified.output.match(/^The audit log is intact: 7 entries, head (7:[0-9a-f]{64})\n$/)![1]!
  assert.equal((await audit(folder, 'verify', '--head', head)).code, 0)
  const { intact, entries, head: sameHead } = jsonIn((await audit(folder, 'verify', '--json')).output)
  assert.deepEqual([intact, entries, sameHead], [true, 7, head])
  assert.equal((await audit(folder, 'verify', '--head', `6:${'0'.repeat(64)}`)).code, 1)

  const shown = await audit(folder, 'show', '--last', '2')
  assert.match(shown.output, /^6 {2}\S+Z {2}consent {2}w2 {2}\{\}\n7 {2}\S+Z {2}revoke {2}w1 {2}\{\}\n$/)
  const [first] = jsonIn((await audit(folder, 'show', '--json')).output)
  assert.deepEqual([first.seq, first.kind, first.subject, first.detail], [1, 'enrol', 'w0', { key: '0'.repeat(64), name: 'w0' }])

  const copied = temporaryFolder(t)
  cpSync(folder, copied, { recursive: true })
  const db = new Sqlite(join(copied, 'studio.db'))
  db.exec(`drop trigger audit_is_final; update audit set detail = '{}' where seq = 3`)
  db.close()
  const broken = await audit(copied, 'verify')
  assert.equal(broken.code, 1)
  assert.match(
    broken.output,
    /^The audit log is broken at entry 3: .*changed after it was written\. The 2 entries before it are intact\.\n$/,
  )
})

test('audit reports a missing database and invalid arguments', async (t) => {
  const folder = temporaryFolder(t)
  const env = { STUDIO_DATA_DIR: folder }
  const nothing = await studio(['audit', 'verify'], { env })
  assert.deepEqual([nothing.code, nothing.output], [5, ''])
  assert.match(nothing.errors, /There is no database at .*studio\.db\. Check STUDIO_DATA_DIR\./)
  for (const args of [[], ['look'], ['verify', 'twice'], ['show', '--last', '0'], ['verify', '--head', 'x']])
    assert.equal((await studio(['audit', ...args], { env })).code, 2, args.join(' '))
})
