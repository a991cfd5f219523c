// The drill: a studio with work of every kind is backed up while it makes takes, restored into an empty folder and started. Every list and every
// file is compared, the borrowed machine comes back by itself, and the secrets open.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { partOf } from '#control-plane/backup/contents.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { render } from '#test/scenarios/longform/book-client.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, freePort, openWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const PASSPHRASE = 'three words that rhyme'
const SECRET = 'sk-secret-of-the-owner'
/** Lists that differ between two runs of one studio, or ask other computers. */
const OF_THE_RUN =
  /^\/(metrics|health|ready|live|system|sysinfo|startup|workers|docs|openapi|events|mcp|tools|diagnostics|engines|models?|setup|community|gallery\/(search|categories)|marketplace|v1\/realtime|api\/settings\/(about|storage|media|network|proxy|hf|bindings|mcp)|media)\b|^\/$/

const filesIn = (folder: string, part: 'saved' | 'secret'): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((path) => partOf(path) === part)
      .map(
        (path) =>
          [
            path,
            createHash('sha256')
              .update(readFileSync(join(folder, path)))
              .digest('hex'),
          ] as const,
      ),
  )
const take = async (world: World, text: string): Promise<string> => {
  const reply = await world.send('POST', '/generate', form({ text, engine: 'tone' }))
  assert.equal(reply.status, 200, String(reply.body))
  return reply.headers.get('x-audio-id')!
}
/** Without the time of the answer, and the setting that a restore changes until all files are there. */
const withoutChanges = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) => (key === 'generated_at' || value?.key === 'history.missing' ? undefined : value))
/** Answers of every list by its path. */
async function lists(world: World): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  for (const { method, path, media } of CONTRACTS) {
    if (method !== 'GET' || path.includes('{') || media !== undefined || OF_THE_RUN.test(path)) continue
    const { status, headers, body } = await world.get(path)
    if (status === 200 && headers.get('content-type')?.startsWith('application/json'))
      found.set(path, withoutChanges(JSON.parse(String(body))))
  }
  return found
}
const idsOf = (list: unknown): string[] => (list as { id: string }[]).map(({ id }) => id)

test('a whole backup under load, restored into an empty folder', { timeout: 240_000 }, async (t) => {
  const place = temporaryFolder(t)
  const passphraseFile = join(place, 'passphrase')
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`)
  const port = { STUDIO_WORKER_PORT: String(await freePort()) }
  const world = await openWorld(t, { remote: true, env: port })
  const command = (...words: string[]) => studio(words, { env: { STUDIO_DATA_DIR: world.dataDir } })
  const sealed = ['--passphrase-file', passphraseFile]

  const machine = await world.machine('borrowed')
  await world.approve(machine)
  const starred = await take(world, 'A take that stays.')
  await world.put(`/history/${starred}/starred`, { starred: true })
  const voice = (await world.post('/profiles', form({ name: 'Mine', ref_audio: spokenWav({ hz: 160 }), ref_text: 'Said before.' }))).json()
    .id
  await world.post('/projects', { name: 'A project', state: { text: 'unfinished' }, kind: 'book' })
  const book = await render(world, '/audiobook', { text: '# One\n\nIt was late.\n\n# Two\n\nIt was early.', format: 'mp3' })
  assert.equal(book.at(-1)!.type, 'done', JSON.stringify(book.at(-1)))
  assert.equal((await world.put('/api/settings/hosted-voices', { url: 'http://127.0.0.1:9', key: SECRET })).status, 200)

  const before = { lists: await lists(world), files: filesIn(world.dataDir, 'saved') }
  const archive = join(place, 'one.zip')
  let isOver = false
  let made = 0
  const load = (async () => {
    while (!isOver) {
      await take(world, `Under load ${++made}.`)
      if (made % 5 === 0) await world.delete(`/history/${idsOf((await world.get('/history')).json())[0]}`)
    }
  })()
  const { code, output, errors } = await command('backup', archive, ...sealed, '--json')
  isOver = true
  await load
  assert.equal(code, 0, errors)
  const report = jsonIn(output)
  assert.ok(report.files >= before.files.size && report.vanished === 0 && report.hasSecrets, output)
  assert.equal(statSync(archive).mode & 0o777, 0o600)
  assert.ok(!readFileSync(archive).includes(SECRET) && !readFileSync(archive).includes('PRIVATE KEY'), 'keys are sealed')
  assert.ok(!readdirSync(world.dataDir).some((name) => name.includes('unfinished')))
  t.diagnostic(`${made} takes were made meanwhile; ${report.files} files`)

  // What changed since then.
  const later = await take(world, 'Made later.')
  const changed = join(place, 'two.zip')
  const second = await command('backup', changed, '--since', archive, ...sealed, '--json')
  assert.equal(second.code, 0, second.errors)
  const { unchanged, files: now } = jsonIn(second.output)
  assert.ok(unchanged >= before.files.size && now > unchanged, second.output)
  const after = { lists: await lists(world), files: filesIn(world.dataDir, 'saved'), secrets: filesIn(world.dataDir, 'secret') }
  await world.studio.end('SIGTERM')
  const [one, two] = [readFileSync(archive), readFileSync(changed)]
  const same = [...before.files].filter(([path, sum]) => after.files.get(path) === sum && statSync(join(world.dataDir, path)).size > 1_000)
  assert.ok(same.length >= 3, 'a take, a voice and a book')
  for (const [path] of same) {
    const bytes = readFileSync(join(world.dataDir, path))
    assert.ok(one.includes(bytes) && !two.includes(bytes), `${path} is in the first archive only`)
  }

  await t.test('a wrong passphrase, a folder in use and a missing one are refused', async () => {
    const wrong = join(place, 'wrong')
    writeFileSync(wrong, 'not the right one')
    const into = join(place, 'new')
    const refused = await command('restore', archive, '--into', into, '--passphrase-file', wrong)
    assert.equal(refused.code, 1)
    assert.match(refused.errors, /The passphrase is not the one that this backup was made with\. Nothing was restored\./)
    assert.match((await command('restore', archive, '--into', into)).errors, /Add --passphrase-file FILE .*or --without-secrets/)
    assert.match((await command('restore', archive, ...sealed)).errors, /is in use, and a backup replaces nothing\. Restore beside it/)
    assert.match((await command('backup', join(place, 'three.zip'))).errors, /Add --passphrase-file FILE .*or --without-secrets/)
    assert.deepEqual(readdirSync(place).sort(), ['one.zip', 'passphrase', 'two.zip', 'wrong'])
  })

  await t.test('the restored studio has every list and every byte, its machine and its secrets', async (t) => {
    const restored = await openWorld(t, {
      env: port,
      async prepare(dataDir) {
        const { code, errors } = await command('restore', changed, '--into', dataDir, ...sealed)
        assert.equal(code, 0, errors)
        assert.deepEqual(filesIn(dataDir, 'saved'), after.files, 'every file')
        assert.deepEqual(filesIn(dataDir, 'secret'), after.secrets, 'every key')
        assert.equal(statSync(dataDir).mode & 0o777, 0o700)
      },
    })
    const found = await lists(restored)
    assert.deepEqual([...found.keys()], [...after.lists.keys()])
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(after.lists))
    t.diagnostic(`${found.size} lists`)
    for (const { id, audio_path } of (await restored.get('/history')).json())
      assert.equal((await restored.get(`/audio/${audio_path}`)).status, 200, id)
    assert.ok(idsOf((await restored.get('/history')).json()).includes(later))
    assert.equal((await restored.get(`/profiles/${voice}/audio`)).status, 200)
    assert.equal((await restored.get('/api/settings/values/voices.hosted_key')).json().is_set, true)
    await eventually(async () => {
      const { targets } = (await restored.get('/workers/target')).json()
      return targets.some(({ id, connected }: { id: string; connected: boolean }) => id === machine.workerId && connected)
    })
  })

  await t.test('the first one alone has what was there when it was made', async () => {
    const into = join(place, 'alone')
    const { code, errors } = await command('restore', archive, '--into', into, '--without-secrets')
    assert.equal(code, 0, errors)
    const files = filesIn(into, 'saved')
    for (const [path, sum] of before.files) assert.equal(files.get(path), sum, path)
    assert.equal(filesIn(into, 'secret').size, 0)
  })
})
