import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { speechWav } from '#test/support/archive/bundle.ts'
import { commandsOf, studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true })

test('a voice is exported to a file and imported from it, and what was replaced or not used is said', async (t) => {
  const world = await open()
  const run = commandsOf(world)
  const folder = temporaryFolder(t)
  const fields = { name: 'Trav\u202eeller', ref_audio: Buffer.from(speechWav(4, 24_000, 3)), ref_text: 'Hello.' }
  const { id } = (await world.post('/profiles', form(fields))).json()
  const path = join(folder, 'voice.svcvoice')
  const done = await run('voices', 'export', id, '-o', path, '--licence', 'MIT', '--without-reference')
  assert.deepEqual([done.code, /^voice\.svcvoice, \d+ kB\n/.test(done.output)], [0, true], done.errors)
  assert.ok(readFileSync(path).length > 100)

  const imported = await run('voices', 'import', path)
  assert.equal(imported.code, 0, imported.errors)
  const [, name, made] = /^Imported (.+) as voice (\S+)\.$/m.exec(imported.output)!
  assert.ok(!name!.includes('\u202e'), name)
  assert.match(imported.output, /contains a preview only/)
  assert.equal((await world.get(`/profiles/${made}`)).status, 200)
  assert.equal((await run('voices', 'remove', made!, '--yes')).code, 0)
  assert.equal((await world.get(`/profiles/${made}`)).status, 404)

  const taken = await run('voices', 'export', id, '-o', path)
  assert.deepEqual([taken.code, /voice\.svcvoice exists already\. Name another file, or add --force/.test(taken.errors)], [1, true])

  const other = join(folder, 'other.svcvoice')
  const replaced = await run('voices', 'export', id, '-o', other, '--licence', 'GPL-3.0')
  assert.deepEqual(
    [replaced.code, /^studio: The licence GPL-3\.0 is not on the list of licences\. \S+ was used\.\n$/.test(replaced.errors)],
    [0, true],
  )
  writeFileSync(join(folder, 'broken.svcvoice'), 'the bytes of no bundle')
  const broken = await run('voices', 'import', join(folder, 'broken.svcvoice'))
  assert.deepEqual([broken.code, broken.output], [1, ''])
  const unknown = await run('voices', 'export', '99999999', '-o', join(folder, 'unknown.svcvoice'))
  assert.deepEqual([unknown.code, /There is no voice 99999999\. List them with /.test(unknown.errors)], [5, true], unknown.errors)
  for (const verb of ['show', 'remove'])
    assert.equal((await run('voices', verb, '99999999')).errors, 'studio: There is no voice 99999999. List them with ./studio voices.\n')
  assert.match((await run('voices', 'lock', '99999999', 'nosuch')).errors, /There is no voice 99999999\./)
  assert.match((await run('voices', 'lock', id, 'nosuch')).errors, /There is no take nosuch\./)
  assert.deepEqual(readdirSync(folder).sort(), ['broken.svcvoice', 'other.svcvoice', 'voice.svcvoice'])
})

test('misuse names the right form', async () => {
  for (const [args, code, message] of [
    [['export', '0a1b2c3d'], 2, /voices export ID -o FILE/],
    [['export', '-o', 'x'], 2, /voices export ID -o FILE/],
    [['import'], 2, /voices import FILE/],
    [['imports', 'x'], 2, /Did you mean 'import'/],
    [['import', '/nowhere/voice.svcvoice'], 1, /There is no file/],
    [['export', '0a1b2c3d', '-o', '/nowhere/x'], 1, /does not exist/],
  ] as const) {
    const ended = await studio(['voices', ...args], { env: { STUDIO_PORT: '1' } })
    assert.equal(ended.code, code, args.join(' '))
    assert.match(ended.errors, message)
  }
})
