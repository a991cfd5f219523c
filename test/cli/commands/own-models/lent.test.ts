// Own files on a borrowed machine, with real programs: refused until its owner allows it, up to the size that they chose, and then a model of that
// machine, which speaks there, is marked there as not verified, and is removed with what the studio installed.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PIPER_FILES } from '#test/support/models/own/own-files.ts'
import { commandsOf, studio } from '#test/support/world/cli.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

test('own files on a borrowed machine', { timeout: 300_000 }, async (t) => {
  const here = temporaryFolder({ after })
  for (const [name, bytes] of Object.entries(PIPER_FILES)) writeFileSync(join(here, name), bytes)
  // More than one message for a file.
  writeFileSync(join(here, 'en_US-someone-medium.onnx_data'), Buffer.alloc(700_000, 1))
  const world = await openWorld(t, { remote: true })
  const machine = await world.machine('attic')
  const command = commandsOf(world)
  const add = (...more: string[]) => command('models', 'add', join(here, 'en_US-someone-medium.onnx'), '--worker', 'attic', ...more)
  const owner = (...words: string[]) => studio(['agent', ...words], { env: { STUDIO_DATA_DIR: machine.dataDir } })
  const models = join(machine.dataDir, 'agent/models')
  mkdirSync(models, { recursive: true })
  const remains = () => readdirSync(models).filter((name) => name.startsWith('.'))
  const rowsThere = async () => {
    assert.equal((await world.post('/workers/target', { target: machine.workerId })).status, 200)
    const all = ((await world.get('/models')).json().models as Record<string, unknown>[]).filter(({ own }) => own)
    assert.equal((await world.post('/workers/target', { target: 'local' })).status, 200)
    return all.map(({ repo_id, installed, pinned }) => [repo_id, installed, pinned])
  }

  await t.test('nothing is sent without the consent of the studio and of the owner of the machine', async () => {
    assert.match((await add()).errors, /consent|approve/i)
    await world.approve(machine)
    const off = await add()
    assert.equal(off.code, 1)
    assert.match(
      off.errors,
      /owner of this machine does not let studios send files of models\. They allow it with \.\/studio agent files GB/,
    )
    assert.match((await owner('files', '0.0001')).output, /Studios may send files of models, 100 kB at a time/)
    assert.match((await add()).errors, /lets studios send 0\.0001 GB at a time, and these files are larger/)
    assert.deepEqual([await rowsThere(), remains()], [[], []])
  })

  await t.test('a model is sent, checked there and speaks there', async () => {
    assert.match((await owner('files', '1')).output, /1\.0 GB at a time\. They are verified against no publisher/)
    const sent = await add('--name', 'sent')
    assert.deepEqual([sent.code, sent.errors], [0, ''], sent.output)
    assert.match(sent.output, /^Verification of own\/sent\nResult: {4}PASS[\s\S]{1,300}^Machine: {3}borrowed machine/m)
    assert.doesNotMatch(sent.output, /by default|engines use/, 'the default of this studio is an engine of this machine')
    assert.deepEqual(await rowsThere(), [['own/sent', true, false]])
    const speak = (more: object, params: object = {}) =>
      world.task({
        operation: 'tts',
        engine: 'piper',
        params: { segments: [{ text: 'Hello.' }], language: 'en', ...params },
        target: machine.workerId,
        ...more,
      })
    for (const spoken of [await speak({ model_id: 'own-sent' }), await speak({}, { voice: 'own-sent' })])
      assert.equal(spoken.status, 200, String(spoken.body).slice(0, 1_000))
    // It is for those who name it.
    const unnamed = await speak({})
    assert.notEqual(unnamed.status, 200)
    assert.match(String(unnamed.body), /a task must name one of them/)
    assert.deepEqual(remains(), [])
  })

  await t.test('a model that fails its checks there is deleted there, as the command says', async () => {
    const broken = temporaryFolder({ after })
    // An operator that no runtime has, in a graph with the right inputs and outputs.
    const graph = Buffer.from(PIPER_FILES['en_US-someone-medium.onnx'] as Uint8Array)
    const text = graph.toString('latin1').replace('Concat', 'Xoncat')
    assert.notEqual(text, graph.toString('latin1'))
    writeFileSync(join(broken, 'x.onnx'), Buffer.from(text, 'latin1'))
    writeFileSync(join(broken, 'x.onnx.json'), PIPER_FILES['en_US-someone-medium.onnx.json']!)
    const added = await command('models', 'add', join(broken, 'x.onnx'), '--worker', 'attic', '--name', 'broken')
    assert.equal(added.code, 1, added.output)
    const [, advice] = /Delete it with \.\/studio (models remove \S+ --worker attic)$/m.exec(added.output) ?? assert.fail(added.output)
    assert.equal((await command('models', 'verify', 'own/sent', '--worker', 'attic', '--json')).code, 0)
    const removed = await command(...advice!.split(' '), '--yes')
    assert.deepEqual([removed.code, removed.errors], [0, ''])
    assert.match(removed.output, /^Removed own\/broken from attic and freed \S+ kB\.$/m)
    assert.deepEqual(
      (await rowsThere()).map(([id]) => id),
      ['own/sent'],
    )
  })

  await t.test('the owner sees it, removes it, and turns it off again', async () => {
    assert.match((await owner('space')).output, /Models of other studios: \d+(\.\d)? kB of at most/)
    assert.match((await owner('space', 'clear')).output, /Removed \S+ kB of models/)
    // The studio keeps the list of a machine for ten seconds.
    await eventually(async () => (await rowsThere()).length === 0)
    assert.doesNotMatch((await owner('files', 'off')).output, /may send files/)
    assert.match((await add('--name', 'again')).errors, /does not let studios send files/)
    assert.equal((await owner('files', 'much')).code, 2)
  })
})
