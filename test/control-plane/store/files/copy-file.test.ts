// Paths that an export may be written to.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkDestination, makeFolderFor } from '#control-plane/store/files/copy-file.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('an export is a new or regular file in an existing folder outside of the data directory', (t) => {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  mkdirSync(join(data, 'outputs'), { recursive: true })
  mkdirSync(join(folder, 'data-of-another'))
  writeFileSync(join(folder, 'old.wav'), '')
  symlinkSync(join(folder, 'old.wav'), join(folder, 'link.wav'))
  symlinkSync(data, join(folder, 'shortcut'))
  for (const path of ['new.wav', 'old.wav', 'data-of-another/x.wav']) checkDestination(join(folder, path), data)
  for (const path of [
    'relative.wav',
    join(data, 'studio.db'),
    join(data, 'outputs/x.wav'),
    join(folder, 'shortcut/outputs/x.wav'),
    join(folder, 'data-of-another/../data/x.wav'),
    join(folder, 'missing/x.wav'),
    join(folder, 'old.wav/x.wav'),
    join(folder, 'link.wav'),
    join(folder, 'data-of-another'),
    join(folder, 'a\nb.wav'),
    join(folder, `${'x'.repeat(300)}.wav`),
    `${folder}/x\0.wav`,
  ])
    assert.throws(() => checkDestination(path, data), { code: 'BAD_REQUEST' }, path)
})

test('missing folders are made for an export, but none in the data directory', async (t) => {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(folder, 'old.wav'), '')
  symlinkSync(data, join(folder, 'shortcut'))
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
  await makeFolderFor(join(folder, 'new/deep/x.wav'), data)
  assert.ok(existsSync(join(folder, 'new/deep')))
  for (const path of [
    'relative/x.wav',
    `${data}/made/x.wav`,
    `${folder}/shortcut/made/x.wav`,
    `${folder}/missing/../data/made/x.wav`,
    `${folder}/new/../data/made/x.wav`,
    `${folder}/dangling/x.wav`,
    `${folder}/old.wav/made/x.wav`,
    `${folder}/a\nb/x.wav`,
    `${folder}/${'x'.repeat(300)}/x.wav`,
  ])
    await assert.rejects(makeFolderFor(path, data), { code: 'BAD_REQUEST' }, path)
  for (const made of ['data/made', 'missing', 'nowhere']) assert.equal(existsSync(join(folder, made)), false, made)
})
