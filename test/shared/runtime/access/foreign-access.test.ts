// Files that other users could change.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { foreignAccess, foreignAccessBelow } from '#shared/runtime/access/foreign-access.ts'
import { quoted } from '#shared/runtime/access/quoted.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const asRoot = { skip: process.getuid?.() !== 0 && 'only root may give files away' }
const STRANGER = 12_345

function folderIn(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'source')
  mkdirSync(join(folder, 'lib'), { recursive: true })
  writeFileSync(join(folder, 'lib/program.py'), '')
  return folder
}
const below = (folder: string) => foreignAccessBelow(folder, (path) => path.endsWith('/.git'))

test('files of this user are safe in a private folder of /tmp', (t) => {
  const folder = folderIn(t)
  assert.equal(foreignAccess(folder), null)
  assert.equal(foreignAccess('/usr/bin'), null)
  assert.equal(below(folder), null)
  symlinkSync('/usr/bin', join(folder, 'link'))
  assert.equal(below(folder), null)
})

test('a file, a folder or a parent that others can write is found, also through a link', (t) => {
  for (const [at, mode] of [
    ['lib/program.py', 0o646],
    ['lib', 0o757],
    ['lib', 0o1777],
  ] as const) {
    const folder = folderIn(t)
    chmodSync(join(folder, at), mode)
    assert.match(below(folder)?.problem ?? '', /Other users can change \/.*\/source\/lib/, `${at} ${mode.toString(8)}`)
    assert.equal(below(folder)?.remedy, `Run: chmod -R go-w '${folder}'`)
  }
  const folder = folderIn(t)
  const link = join(temporaryFolder(t), 'link')
  symlinkSync(join(folder, 'lib'), link)
  chmodSync(folder, 0o757)
  assert.match(foreignAccess(join(folder, 'lib/program.py'))?.problem ?? '', /source \(mode 757\)/)
  assert.equal(foreignAccess(join(folder, 'lib'))?.remedy, `Run: chmod go-w '${folder}'`)
  assert.match(foreignAccess(join(link, 'program.py'))?.problem ?? '', /source \(mode 757\)/)
})

test('a link to a missing file is refused, and skipped folders are not searched', (t) => {
  const folder = folderIn(t)
  mkdirSync(join(folder, '.git'))
  chmodSync(join(folder, '.git'), 0o777)
  assert.equal(below(folder), null)
  symlinkSync('/nowhere/at/all', join(folder, 'lib/link'))
  assert.match(below(folder)?.problem ?? '', /lib\/link is a link to a file that does not exist\./)
})

test('files of another user or for another group are found, files for the group of root are not', asRoot, (t) => {
  const folder = folderIn(t)
  const program = join(folder, 'lib/program.py')
  chmodSync(program, 0o664)
  assert.equal(below(folder), null)
  chownSync(program, 0, STRANGER)
  assert.match(below(folder)?.problem ?? '', /Other users can change .*program\.py \(mode 664\)\./)
  chownSync(program, STRANGER, STRANGER)
  assert.match(below(folder)?.problem ?? '', /program\.py belongs to another user \(uid 12345\)\./)
  const parent = folderIn(t)
  chownSync(parent, STRANGER, STRANGER)
  assert.match(foreignAccess(join(parent, 'lib/program.py'))?.problem ?? '', /source belongs to another user/)
})

test('a path in a command is one word', () => {
  assert.equal(quoted('/tmp/a b'), "'/tmp/a b'")
  assert.equal(quoted("/tmp/'; rm -rf ~; '\n"), `'/tmp/'\\''; rm -rf ~; '\\''?'`)
})
