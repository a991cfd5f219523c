// Exports through HTTP: authorized copies, the list, folders in the file manager; and the figures of the library.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { authorizationsFolder, type PathKind, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { listenEvents, request } from '#test/support/world/http.ts'
import { sharedPrograms } from '#test/support/world/programs.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const programs = sharedPrograms()
const open = sharedWorld({ withoutAgent: true, env: { PATH: programs, STUDIO_API_KEY: 'a-key-of-more-than-sixteen-characters' } })

test('exports', async (t) => {
  const desktop = temporaryFolder(t)
  const opened = join(desktop, 'opened.txt')
  const world = await open()
  const outputs = join(world.dataDir, 'outputs')
  const events = await listenEvents(t, world.url, 'export_history')
  const authorize = (path: string, kind: PathKind = 'dub_export') =>
    writePathAuthorization(authorizationsFolder(world.dataDir), { kind, path }, systemRandom)
  const send = (source_filename: string, authorization: string) => world.post('/export', { source_filename, authorization })
  const copy = (destination: string, source = 'take.wav') => send(source, authorize(destination))
  const list = async () => (await world.get('/export/history')).json()
  const bytes = Buffer.from('RIFF and what follows')
  writeFileSync(join(outputs, 'take.wav'), bytes)

  await t.test('a finished file is copied to the authorized place, and replaces a file there', async () => {
    assert.deepEqual(await list(), [])
    const destination = join(desktop, 'a film\'s voice; $(rm -rf) "x" ü.wav')
    writeFileSync(destination, 'older and longer than the new one, '.repeat(9))
    const reply = await copy(destination)
    const { id } = reply.json()
    assert.deepEqual([reply.status, reply.json()], [200, { success: true, id }])
    assert.match(id, /^[0-9a-f]{8}$/)
    assert.ok(readFileSync(destination).equals(bytes))
    const [row] = await list()
    assert.deepEqual({ ...row, created_at: 0 }, { id, filename: 'take.wav', destination_path: destination, mode: 'history', created_at: 0 })
    assert.ok(Math.abs(row.created_at - Date.now() / 1000) < 60)
    assert.deepEqual(
      readdirSync(desktop).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  await t.test('an authorization works once, and of two requests at the same time one wins', async () => {
    const before = (await list()).length
    const authorization = authorize(join(desktop, 'raced.wav'))
    const replies = await Promise.all(Array.from({ length: 8 }, () => send('take.wav', authorization)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 403)])
    assert.equal((await list()).length, before + 1)
  })

  await t.test('another kind, an invented or a malformed authorization is refused; the first one is used up', async () => {
    const other = authorize(join(desktop, 'other.wav'), 'models_dir')
    assert.equal((await send('take.wav', other)).status, 403)
    assert.ok(!readdirSync(authorizationsFolder(world.dataDir)).includes(`${other}.json`))
    for (const token of ['', 'x', 'a'.repeat(64), 'A'.repeat(64), '../../studio.db', `${'a'.repeat(63)}/`])
      assert.equal((await send('take.wav', token)).status, 403, token)
    assert.ok(!existsSync(join(desktop, 'other.wav')))
  })

  await t.test('places that could do harm are refused with the reason', async () => {
    writeFileSync(join(desktop, 'victim.txt'), 'precious')
    symlinkSync(join(desktop, 'victim.txt'), join(desktop, 'link.wav'))
    symlinkSync(world.dataDir, join(desktop, 'into-data'))
    mkdirSync(join(desktop, 'folder.wav'))
    for (const [place, why] of [
      ['relative.wav', /absolute/],
      ['', /absolute/],
      [`${desktop}/a\nb.wav`, /control characters/],
      [`${desktop}/a\0.wav`, /control characters/],
      [join(desktop, 'missing', 'a.wav'), /folder does not exist/],
      [join(desktop, 'victim.txt', 'a.wav'), /folder does not exist/],
      [join(desktop, 'link.wav'), /link/],
      [join(desktop, 'folder.wav'), /folder/],
      ['/dev/null', /device/],
      [join(world.dataDir, 'studio.db'), /outside of the data directory/],
      [join(desktop, 'into-data', 'studio.db'), /outside of the data directory/],
      [`${desktop}/${'x'.repeat(300)}`, /ENAMETOOLONG/],
    ] as const) {
      const reply = await copy(place)
      assert.equal(reply.status, 400, place)
      assert.match(reply.json().detail, why)
    }
    assert.equal(readFileSync(join(desktop, 'victim.txt'), 'utf8'), 'precious')
  })

  await t.test('only finished files are copied', async () => {
    symlinkSync(join(world.dataDir, 'studio.db'), join(outputs, 'link.wav'))
    mkdirSync(join(outputs, 'folder.wav'))
    for (const [source, status] of [
      ['../studio.db', 400],
      ['/etc/passwd', 400],
      ['.hidden', 400],
      ['', 400],
      ['a b\r\nX-Evil: 1', 400],
      ['missing.wav', 404],
      ['link.wav', 404],
      ['folder.wav', 404],
    ] as const)
      assert.equal((await copy(join(desktop, 'stolen.wav'), source)).status, status, source)
    assert.equal((await copy(join(desktop, 'stolen.wav'), 'a\0.wav')).status, 422)
    assert.equal((await world.post('/export', { source_filename: 'take.wav' })).status, 422)
    assert.ok(!existsSync(join(desktop, 'stolen.wav')))
    assert.deepEqual(
      readdirSync(desktop).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  await t.test('a record touches no file; the list has the newest 50', async () => {
    const first = await world.post('/export/record', { filename: '../a.srt' })
    assert.deepEqual([first.status, Object.keys(first.json())], [200, ['success', 'id']])
    const [row] = await list()
    assert.deepEqual(
      { ...row, id: 0, created_at: 0 },
      {
        ...{ id: 0, created_at: 0, filename: '../a.srt', destination_path: '~/Downloads', mode: 'file' },
      },
    )
    for (let at = 0; at < 55; at++) await world.post('/export/record', { filename: `${at}`, destination_path: '/tmp', mode: 'stems' })
    const rows = await list()
    assert.deepEqual([rows.length, rows[0].filename, rows[49].filename], [50, '54', '5'])
    for (const body of [{}, { filename: 5 }, { filename: 'a\0' }, { filename: 'x', mode: 'x'.repeat(65) }, { filename: 'x'.repeat(1001) }])
      assert.equal((await world.post('/export/record', body)).status, 422)
    const seen = await eventually(() => events.length >= 58 && events)
    assert.deepEqual([seen[0]!.action, seen[2]!.action, seen.at(-1)!.id], ['exported', 'recorded', rows[0].id])
  })

  await t.test('a file of the data directory is shown in the file manager, without a shell', async () => {
    const reveal = (path: unknown) => world.post('/export/reveal', { path })
    const absent = await reveal(join(outputs, 'take.wav'))
    assert.deepEqual([absent.status, /xdg-open/.test(absent.json().detail)], [501, true])
    const program = join(programs, 'xdg-open')
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s\\n' "$#" "$1" "\${STUDIO_API_KEY:-no key}" > '${opened}.new'\n/bin/mv '${opened}.new' '${opened}'\n`,
    )
    chmodSync(program, 0o755)
    const folder = join(outputs, "odd '$(touch owned)' name")
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.wav'), '')
    for (const [path, shown] of [
      [join(outputs, 'take.wav'), outputs],
      [join(folder, 'a.wav'), folder],
      ['outputs', outputs],
    ] as const) {
      rmSync(opened, { force: true })
      const reply = await reveal(path)
      assert.deepEqual([reply.status, reply.json()], [200, { success: true }])
      await eventually(() => existsSync(opened))
      assert.equal(readFileSync(opened, 'utf8'), `1\n${shown}\nno key\n`)
    }
    rmSync(opened)
    symlinkSync('/etc', join(outputs, 'etc'))
    for (const [path, status] of [
      ['', 400],
      [' \t', 400],
      ['/etc/passwd', 403],
      ['/no/such/file', 403],
      [`${world.dataDir}/../x`, 403],
      [`${world.dataDir}-other`, 403],
      ['../../etc', 403],
      [join(outputs, 'etc', 'passwd'), 403],
      [join(outputs, 'missing.wav'), 404],
      ['--help', 404],
      ['a\0b', 422],
      [null, 422],
    ] as const)
      assert.equal((await reveal(path)).status, status, String(path))
    assert.ok(!existsSync(opened))
  })

  await t.test('other machines, proxies and other sites reach none of the routes that touch files', async () => {
    const key = { authorization: 'Bearer a-key-of-more-than-sixteen-characters' }
    const authorization = authorize(join(desktop, 'stolen.wav'))
    for (const [path, body] of [
      ['/export', { source_filename: 'take.wav', authorization }],
      ['/export/reveal', { path: outputs }],
    ] as const) {
      assert.equal((await world.send('POST', path, body, { 'x-forwarded-for': '192.0.2.1', ...key })).status, 403)
      assert.equal((await world.send('POST', path, body, { origin: 'https://other.example' })).status, 403)
    }
    assert.equal((await world.send('GET', '/stats/usage', undefined, { 'x-forwarded-for': '192.0.2.1' })).status, 403)
    assert.equal((await request(`${world.url}/export/history`, { headers: { forwarded: 'for=1' } })).status, 401)
    assert.ok(readdirSync(authorizationsFolder(world.dataDir)).includes(`${authorization}.json`), 'a refused request uses up nothing')
  })

  await t.test('the figures of an empty library, with the exports', async () => {
    await world.post('/projects', { name: 'x', state: {} })
    const { generated_at, ...figures } = (await world.get('/stats/usage')).json()
    assert.ok(Math.abs(generated_at - Date.now() / 1000) < 60)
    assert.deepEqual(figures, {
      ...{ takes: 0, starred: 0, audio_seconds: 0, compute_seconds: 0, active_days: 0, first_at: null, last_at: null },
      ...{ by_mode: [], by_language: [], voices: 0, dubs: 0, projects: 1, exports: 58, local_only: true },
    })
  })
})
