// Models of own files, with the real studio and its agent: a file, a folder, a zip file and what other programs left; listed, used, checked, removed.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { authorizationsFolder, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { writeZip } from '#shared/archive/zip.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { addition, type Contents, graphOf, KOKORO_ONNX_FILES, PIPER_FILES } from '#test/support/models/own/own-files.ts'
import { piperConfig, piperFiles, piperGraph } from '#test/support/models/piper-model.ts'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const NAME = 'en_US-someone-medium'
const REVISION = 'c'.repeat(40)

function write(folder: string, contents: Contents): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  return folder
}

test('models of own files', { timeout: 300_000 }, async (t) => {
  const here = temporaryFolder({ after })
  const cache = join(here, 'hub')
  const world = await openWorld(t, { env: { STUDIO_MODELS_CACHE: cache } })
  const env = { STUDIO_PORT: new URL(world.url).port, STUDIO_DATA_DIR: world.dataDir }
  const models = join(world.dataDir, 'local-agent/models')
  const add = (...args: string[]) => studio(['models', 'add', ...args], { env })
  const rows = async () => ((await world.get('/models')).json().models as Record<string, unknown>[]).filter(({ own }) => own)
  const remains = () => readdirSync(models).filter((name) => name.startsWith('.'))
  const authorize = (path: string) => writePathAuthorization(authorizationsFolder(world.dataDir), { kind: 'own_model', path }, systemRandom)
  const post = (form: FormData) => world.send('POST', '/models/own', form)
  const formOf = (fields: Record<string, string | [Uint8Array | string, string]>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') form.set(name, value)
      else form.set(name, new Blob([value[0] as never]), value[1])
    return form
  }

  await t.test('a file is added with what lies beside it, checked, spoken with, listed and removed', async () => {
    const folder = write(join(here, 'piper'), { ...PIPER_FILES, 'unrelated.onnx': graphOf(['pixels'], ['label']) })
    const added = await add(join(folder, `${NAME}.onnx`))
    assert.deepEqual([added.code, added.errors], [0, ''], added.output)
    assert.match(
      added.output,
      /^Piper voice: en_US-someone-medium: own\/en_US-someone-medium, 3 files, \S+ kB\. It was not verified against a publisher/,
    )
    assert.match(added.output, /^Verification of own\/en_US-someone-medium\nResult: {4}PASS/m)
    assert.match(
      (await studio(['models'], { env })).output,
      /^installed +\S+ kB +TTS +Piper voice: en_US-someone-medium\n {4}own\/en_US-someone-medium \(from files, not verified against a publisher\)/m,
    )
    const [row] = await rows()
    assert.deepEqual([row!['repo_id'], row!['engine'], row!['pinned'], row!['gated']], [`own/${NAME}`, 'piper', false, false])

    const spoken = await studio(['say', 'Hello.', '--engine', 'piper', '--voice', `own-${NAME}`, '-o', join(here, 'hello.wav')], { env })
    assert.deepEqual([spoken.code, spoken.errors], [0, ''])
    assert.ok(existsSync(join(here, 'hello.wav')))

    const again = await add(join(folder, `${NAME}.onnx`))
    assert.equal(again.code, 1)
    assert.match(again.errors, /There is already a model own\/en_US-someone-medium\. Choose another name/)
    const removed = await studio(['models', 'remove', NAME, '--yes'], { env })
    assert.equal(removed.code, 0, removed.errors)
    assert.deepEqual(await rows(), [])
    assert.deepEqual(remains(), [])
  })

  await t.test('a folder and a zip file are added under a chosen name', async () => {
    const folder = write(join(here, 'kokoro'), KOKORO_ONNX_FILES)
    const one = await add(folder, '--name', 'folder', '--json')
    assert.equal(one.code, 0, one.errors)
    assert.equal(jsonIn(one.output).repo_id, 'own/folder')
    const zip = join(here, 'kokoro.zip')
    await writeZip(
      zip,
      [...Object.entries(KOKORO_ONNX_FILES)].map(([name, content]) => ({ name: `kokoro/${name}`, content })),
      null,
    )
    const two = await add(zip, '--name', 'zipped', '--engine', 'kokoro', '--json')
    assert.equal(two.code, 0, two.errors)
    assert.deepEqual((await rows()).map(({ repo_id }) => repo_id).sort(), ['own/folder', 'own/zipped'])
    for (const name of ['folder', 'zipped']) assert.equal((await world.send('DELETE', `/models/own/${name}`)).status, 200)
    assert.deepEqual(remains(), [])
  })

  await t.test('a browser sends the files themselves', async () => {
    const form = formOf({
      name: 'sent',
      file: [piperGraph(), 'voice.onnx'],
      file2: [piperConfig(), 'voice.onnx.json'],
    })
    const reply = await post(form)
    assert.equal(reply.status, 200, reply.body.toString())
    assert.deepEqual(reply.json().repo_id, 'own/sent')
    assert.equal((await world.send('DELETE', '/models/own%2Fsent')).status, 200)
  })

  await t.test('what other programs downloaded is listed and copied', async () => {
    const repository = join(cache, 'models--rhasspy--piper-voices')
    const snapshot = join(repository, 'snapshots', REVISION)
    mkdirSync(join(snapshot, 'en'), { recursive: true })
    write(join(repository, 'blobs'), Object.fromEntries(Object.values(piperFiles('found')).map((bytes, at) => [`blob${at}`, bytes])))
    for (const [at, name] of ['found.onnx', 'found.onnx.json'].entries())
      symlinkSync(`../../../blobs/blob${at}`, join(snapshot, 'en', name))
    write(join(cache, 'models--someone--words'), { [`snapshots/${REVISION}/model.safetensors`]: 'x' })
    mkdirSync(join(cache, 'models--..--etc'), { recursive: true })
    const found = await studio(['models', 'found'], { env })
    assert.match(found.output, /^\S+ kB +2 +rhasspy\/piper-voices:found$/m)
    assert.ok(!found.output.includes('words'))
    const added = await add('--found', 'rhasspy/piper-voices:found', '--json')
    assert.equal(added.code, 0, added.errors)
    assert.equal((await studio(['models', 'verify', 'own/found', '--json'], { env })).code, 0)
    assert.match((await add('--found', 'rhasspy/piper-voices:lost')).errors, /not on this machine any more/)
    assert.equal((await world.send('DELETE', '/models/own/found')).status, 200)
  })

  await t.test('what cannot be added is refused, and leaves nothing', async () => {
    const secret = join(here, 'secret.onnx')
    writeFileSync(secret, piperGraph())
    const linked = write(join(here, 'linked'), { 'a.onnx.json': piperConfig() })
    symlinkSync(secret, join(linked, 'a.onnx'))
    const large = join(write(join(here, 'large'), { 'x.txt': '' }), 'large.onnx')
    writeFileSync(large, '')
    truncateSync(large, 21e9)
    const many = write(join(here, 'many'), Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${at}.txt`, 'x'])))
    const cases: readonly [string, string, RegExp][] = [
      ['a link that leads out', linked, /a\.onnx is a link that leads out of the folder/],
      ['a path that does not exist', join(here, 'nowhere'), /no such file or folder/],
      ['an empty folder', write(join(here, 'empty'), {}), /folder is empty/],
      ['a device', '/dev/null', /neither a file nor a folder/],
      ['more than 20 GB', large, /larger than 20 GB/],
      ['more than 500 files', many, /more than 500 files/],
      ['a graph of another kind', write(join(here, 'cat'), { 'cat.onnx': graphOf(['pixels'], ['label']) }), /pixels → label/],
      [
        'a zip file that is none',
        join(write(join(here, 'bad'), { 'bad.zip': 'not a zip' }), 'bad.zip'),
        /archive cannot be read: it is damaged/,
      ],
    ]
    for (const [title, path, why] of cases) {
      const { code, errors } = await add(path)
      assert.equal(code, title === 'a path that does not exist' ? 5 : 1, title)
      assert.match(errors, why, title)
    }
    for (const args of [[], ['a', 'b'], ['a', '--found', 'b']]) assert.equal((await add(...args)).code, 2, args.join(' '))
    assert.deepEqual(await rows(), [])
    assert.deepEqual(remains(), [])
  })

  await t.test('a kill in the middle of an addition leaves no half model, and a whole one stays', async () => {
    assert.equal((await add(join(here, 'piper', `${NAME}.onnx`), '--name', 'kept', '--json')).code, 0)
    addition(models, KOKORO_ONNX_FILES)
    assert.equal(remains().length, 1)
    await world.restart('SIGKILL', {}, true)
    env.STUDIO_PORT = new URL(world.url).port
    await eventually(async () => remains().length === 0)
    const spoken = await studio(['say', 'Hello.', '--engine', 'piper', '--voice', 'own-kept', '-o', join(here, 'kept.wav')], { env })
    assert.deepEqual([spoken.code, spoken.errors], [0, ''])
    assert.deepEqual(
      (await rows()).map(({ repo_id }) => repo_id),
      ['own/kept'],
    )
    assert.equal((await world.delete('/models/own/kept')).status, 200)
  })

  await t.test('a path needs an authorization of the owner, for one use', async () => {
    const folder = join(here, 'piper')
    for (const authorization of ['', folder, 'f'.repeat(64)])
      assert.equal((await post(formOf({ authorization, name: 'x' }))).status, authorization === '' ? 400 : 403)
    const other = writePathAuthorization(authorizationsFolder(world.dataDir), { kind: 'models_dir', path: folder }, systemRandom)
    assert.equal((await post(formOf({ authorization: other }))).status, 403)
    const token = authorize(join(folder, `${NAME}.onnx`))
    assert.equal((await post(formOf({ authorization: token, name: 'once' }))).status, 200)
    assert.equal((await post(formOf({ authorization: token, name: 'twice' }))).status, 403)
    assert.equal((await world.send('DELETE', '/models/own/once')).status, 200)
    assert.equal((await world.send('DELETE', '/models/own/once')).status, 404)
  })
})
