import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExportStore } from '#control-plane/features/base/library/exports/exports.store.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

test('the newest 10,000 exports are kept, and ids are not used again', (t) => {
  const { db } = openLedger(t)
  const store = createExportStore({ db })
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
    insert into export_history (id, filename, destination_path, mode, created_at) select 'e' || i, 'a', '/', 'file', 1 from n`)
  store.add({ id: 'new', filename: 'b', destination_path: '/b', mode: 'file', created_at: 2 })
  assert.deepEqual([store.count(), store.has('e1'), store.has('e2'), store.list(null)[0]!.id], [10_000, false, true, 'new'])
  assert.throws(() => store.add({ id: 'e2', filename: 'b', destination_path: '/b', mode: 'file', created_at: 2 }), /UNIQUE/)
  assert.equal(store.count(), 10_000)
})
