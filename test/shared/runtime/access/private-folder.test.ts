// Closing a data folder to other users.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { closedNotice, closeToOthers } from '#shared/runtime/access/private-folder.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const modeOf = (path: string) => lstatSync(path).mode & 0o777
const asRoot = { skip: process.getuid?.() !== 0 && 'only root may give files away' }

function openFolder(t: TestContext): string {
  const folder = temporaryFolder(t)
  for (const name of ['authority', 'agent', 'agent/inbound', 'outputs']) {
    mkdirSync(join(folder, name))
    chmodSync(join(folder, name), 0o755)
  }
  for (const name of ['studio.db', 'studio.db-wal', 'authority/settings.key', 'agent/inbound/keys.json', 'outputs/take.wav']) {
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o644)
  }
  chmodSync(folder, 0o755)
  return folder
}

test('the folder and everything in it is closed; a folder with many files is closed as a whole', (t) => {
  const folder = openFolder(t)
  const outside = join(temporaryFolder(t), 'outside')
  writeFileSync(outside, '')
  chmodSync(outside, 0o644)
  symlinkSync(outside, join(folder, 'link'))
  const closed = closeToOthers(folder)
  assert.deepEqual(closed[0], { path: folder, mode: 0o755 })
  assert.match(
    closedNotice(closed),
    /^The permissions of \/.* \(mode 755\) and of 8 more entries allowed access by other users\. That access was removed; nothing was deleted\.$/,
  )
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (entry !== 'link' && entry !== 'outputs/take.wav') assert.equal(modeOf(join(folder, entry)) & 0o077, 0, entry)
  assert.equal(modeOf(join(folder, 'studio.db')), 0o600)
  assert.equal(modeOf(outside), 0o644, 'what a link refers to is not ours')
  assert.deepEqual(closeToOthers(folder), [])
  assert.deepEqual(closeToOthers(join(folder, 'missing')), [])
})

test('entries of another user are refused with the command that helps', asRoot, (t) => {
  const folder = openFolder(t)
  chownSync(join(folder, 'authority/settings.key'), 12_345, 12_345)
  assert.throws(() => closeToOthers(folder), {
    message: `${folder}/authority/settings.key belongs to another user (uid 12345). Start as that user, or check the files and run: sudo chown -R 0 '${folder}'`,
  })
  const other = openFolder(t)
  chownSync(other, 12_345, 12_345)
  assert.throws(() => closeToOthers(other), /belongs to another user/)
})
