import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFakeStudio, refusal } from '#test/support/doubles/fake-studio.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const IMPORTED = {
  success: true,
  profile_id: '0a1b2c3d',
  name: 'Trav\u001b[2Jeller',
  kind: 'clone',
  verified_own_voice: false,
  preview_only: true,
  license_spdx: 'LicenseRef-Svc-Personal',
  license_replaced: 'GPL-3.0',
  watermarked_preview: true,
  source_bundle: 'voice.svcvoice',
  schema_version_ahead: true,
  skipped_members: ['notes.txt'],
}

test('exports a voice to a file, and says what was replaced', async (t) => {
  const folder = temporaryFolder(t)
  const { run } = await openFakeStudio(t, {
    'POST /personas/export/0a1b2c3d?license_spdx=MIT&include_reference=false': 'the bundle',
    'POST /personas/export/99999999?': refusal(404, { detail: 'Profile not found' }),
    'GET /profiles/99999999': refusal(404, { detail: 'Profile not found' }),
  })
  const path = join(folder, 'voice.svcvoice')
  const done = await run('voices', 'export', '0a1b2c3d', '-o', path, '--licence', 'MIT', '--without-reference')
  assert.deepEqual([done.code, done.output], [0, 'voice.svcvoice, 1 kB\n'], done.errors)
  assert.equal(readFileSync(path, 'utf8'), 'the bundle')
  const unknown = await run('voices', 'export', '99999999', '-o', join(folder, 'other.svcvoice'))
  assert.equal(unknown.code, 1)
  assert.match(unknown.errors, /There is no voice 99999999\. List them with /)
  for (const verb of ['show', 'remove'])
    assert.equal((await run('voices', verb, '99999999')).errors, 'studio: There is no voice 99999999. List them with ./studio voices.\n')
  assert.deepEqual(readdirSync(folder), ['voice.svcvoice'])
})

test('imports a file as a form, and says what was not used', async (t) => {
  const { run, requests } = await openFakeStudio(t, { 'POST /personas/import': IMPORTED })
  const path = join(temporaryFolder(t), 'voice.svcvoice')
  writeFileSync(path, 'the bytes of a bundle')
  const { code, output } = await run('voices', 'import', path)
  assert.equal(code, 0)
  assert.match(output, /^Imported Trav ?\[2Jeller as voice 0a1b2c3d\.$/m)
  for (const part of [/contains a preview only/, /newer version/, /GPL-3\.0 is not on the list/, /Not used: notes\.txt\./])
    assert.match(output, part)
  assert.match(requests[0]!, /name="file"; filename="voice\.svcvoice"\r\n[\s\S]*\r\n\r\nthe bytes of a bundle\r\n--/)
})

test('misuse names the right form and sends nothing', async (t) => {
  const { run, requests } = await openFakeStudio(t, {})
  for (const [args, code, message] of [
    [['export', '0a1b2c3d'], 2, /voices export ID -o FILE/],
    [['export', '-o', 'x'], 2, /voices export ID -o FILE/],
    [['import'], 2, /voices import FILE/],
    [['imports', 'x'], 2, /Did you mean 'import'/],
    [['import', '/nowhere/voice.svcvoice'], 1, /There is no file/],
    [['export', '0a1b2c3d', '-o', '/nowhere/x'], 1, /does not exist/],
  ] as const) {
    const ended = await run('voices', ...args)
    assert.equal(ended.code, code, args.join(' '))
    assert.match(ended.errors, message)
  }
  assert.deepEqual(requests, [])
})
