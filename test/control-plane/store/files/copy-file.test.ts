// Where an export may be written.
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkDestination } from '#control-plane/store/files/copy-file.ts'
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
