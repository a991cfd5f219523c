import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clearUnfinished, unfinishedIn } from '#shared/runtime/unfinished.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('what programs that have ended left is removed; what a running one writes, and everything else, stays', (t) => {
  const folder = temporaryFolder(t)
  const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
  const own = unfinishedIn(folder)
  const parts = unfinishedIn(folder, '-parts')
  writeFileSync(own, '')
  mkdirSync(parts)
  writeFileSync(join(parts, 'a'), '')
  const others = ['studio.db', '.studio-unfinished-', '.studio-unfinished-x', `.studio-unfinished-${process.ppid}`]
  const left = [`.studio-unfinished-${ended}`, `.studio-unfinished-${ended}-journal`]
  for (const name of [...others, ...left]) writeFileSync(join(folder, name), '')
  mkdirSync(join(folder, `.studio-unfinished-${ended}-Ab12`))
  clearUnfinished(folder)
  assert.deepEqual(
    readdirSync(folder).sort(),
    [...others, `.studio-unfinished-${process.pid}`, `.studio-unfinished-${process.pid}-parts`].toSorted(),
  )
  // An earlier program had the same id.
  utimesSync(own, 1, 1)
  clearUnfinished(folder)
  assert.ok(!readdirSync(folder).includes(`.studio-unfinished-${process.pid}`))
})
