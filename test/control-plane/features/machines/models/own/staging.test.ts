// The folder in which the files of an addition wait for the agent: nothing outside of it is written, the disk keeps its reserve, and
// nothing stays.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createFound } from '#control-plane/features/machines/models/own/found.ts'
import { filesOfPath } from '#control-plane/features/machines/models/own/offered-files.ts'
import { createStaging } from '#control-plane/features/machines/models/own/staging.ts'
import { writeZip } from '#shared/archive/zip.ts'
import { OWN_LIMITS } from '#shared/models/own.ts'
import { PutFileMessage } from '#shared/protocol/messages.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const signal = new AbortController().signal
function open(t: TestContext, freeBytes: number | null = null) {
  const folder = temporaryFolder(t)
  const staging = createStaging({ folder, freeDisk: async () => freeBytes, reserveBytes: 1_000_000, random: systemRandom })
  return { folder, staging }
}
const offered = (path: string, name: string) => ({ name, path, size: readFileSync(path).length })

test('files get numbers, and their names are in a list', async (t) => {
  const { folder, staging } = open(t)
  const source = temporaryFolder(t)
  writeFileSync(join(source, 'a'), 'one')
  writeFileSync(join(source, 'b'), 'two')
  const files = [offered(join(source, 'a'), '../../x.onnx'), offered(join(source, 'b'), 'sub/y.json')]
  for (const isMoved of [false, true]) {
    await staging.during({ files, isMoved }, signal, async (addition) => {
      const place = join(folder, `.adding-${addition}`)
      assert.deepEqual(readdirSync(place).sort(), ['0', '1', 'files.json'])
      assert.deepEqual(JSON.parse(readFileSync(join(place, 'files.json'), 'utf8')), ['../../x.onnx', 'sub/y.json'])
      assert.equal(readFileSync(join(place, '1'), 'utf8'), 'two')
      assert.equal(existsSync(join(source, 'a')), !isMoved)
    })
    assert.deepEqual(readdirSync(folder), [])
  }
})

test('an error, a zip file among others, and a full disk leave nothing', async (t) => {
  const source = temporaryFolder(t)
  writeFileSync(join(source, 'a.onnx'), 'one')
  const bomb = join(source, 'bomb.zip')
  await writeZip(bomb, [{ name: 'zeros.onnx', content: Buffer.alloc(8_000_000) }], null)
  assert.ok(readFileSync(bomb).length < 200_000)
  const one = offered(join(source, 'a.onnx'), 'a.onnx')
  const { folder, staging } = open(t, 1_000_002)
  const never = () => assert.fail('the agent is not asked')
  await assert.rejects(staging.during({ files: [one], isMoved: false }, signal, never), { code: 'STORAGE_FULL' })
  await assert.rejects(staging.during({ files: [offered(bomb, 'bomb.zip')], isMoved: true }, signal, never), { code: 'STORAGE_FULL' })
  assert.deepEqual(readdirSync(folder), [])
  const roomy = open(t)
  await assert.rejects(
    roomy.staging.during({ files: [offered(bomb, 'bomb.zip'), one], isMoved: false }, signal, never),
    /Add a zip file alone/,
  )
  await assert.rejects(
    roomy.staging.during({ files: [one], isMoved: false }, signal, async () => {
      throw new Error('refused')
    }),
    /refused/,
  )
  await assert.rejects(roomy.staging.during({ files: [one], isMoved: false }, AbortSignal.abort(), never), { name: 'AbortError' })
  assert.deepEqual(readdirSync(roomy.folder), [])
})

test('a zip file writes nothing outside of its folder, and what the system put into it is left out', async (t) => {
  const { folder, staging } = open(t)
  const source = temporaryFolder(t)
  const never = () => assert.fail('the agent is not asked')
  const good = join(source, 'good.zip')
  await writeZip(good, [...['a/x.onnx', '__MACOSX/a/._x.onnx', 'a/.DS_Store'].map((name) => ({ name, content: 'x' }))], null)
  await staging.during({ files: [offered(good, 'good.zip')], isMoved: false }, signal, async (addition) => {
    assert.deepEqual(JSON.parse(readFileSync(join(folder, `.adding-${addition}`, 'files.json'), 'utf8')), ['a/x.onnx'])
  })
  // The writer of zip files refuses such a name, so it is put into the bytes, twice: of the file and of the directory.
  const bytes = readFileSync(good).toString('latin1').replaceAll('a/x.onnx', '../x.onn')
  const bad = join(source, 'bad.zip')
  writeFileSync(bad, Buffer.from(bytes, 'latin1'))
  await assert.rejects(staging.during({ files: [offered(bad, 'bad.zip')], isMoved: false }, signal, never), { code: 'BAD_REQUEST' })
  assert.deepEqual(readdirSync(folder), [])
})

test('links are followed within the folder or within the repository of a cache, and nowhere else', async (t) => {
  const root = temporaryFolder(t)
  const repository = join(root, 'models--someone--voices')
  const snapshot = join(repository, 'snapshots', 'c'.repeat(40))
  mkdirSync(join(repository, 'blobs'), { recursive: true })
  mkdirSync(snapshot, { recursive: true })
  mkdirSync(join(repository, 'refs'))
  writeFileSync(join(repository, 'refs/main'), 'c'.repeat(40))
  writeFileSync(join(repository, 'blobs/b1'), 'graph')
  writeFileSync(join(root, 'secret'), 'secret')
  symlinkSync('../../blobs/b1', join(snapshot, 'x.onnx'))
  assert.deepEqual(
    (await filesOfPath(snapshot, signal)).map(({ name, size }) => [name, size]),
    [['x.onnx', 5]],
  )
  const found = createFound(root)
  assert.deepEqual(await found.list(signal), [
    { id: 'someone/voices', label: 'someone/voices', repo_id: 'someone/voices', size_bytes: 5, nb_files: 1 },
  ])
  symlinkSync('../../../secret', join(snapshot, 'y.onnx'))
  await assert.rejects(filesOfPath(snapshot, signal), /y\.onnx is a link that leads out of the folder/)
  assert.deepEqual(await found.list(signal), [], 'a repository that cannot be read is left out')
  await assert.rejects(found.files('someone/voices', signal), { code: 'NOT_FOUND' })
  assert.deepEqual(await createFound(null).list(signal), [])
  assert.deepEqual(await createFound(join(root, 'missing')).list(signal), [])

  const plain = join(root, 'plain')
  mkdirSync(join(plain, 'in'), { recursive: true })
  writeFileSync(join(plain, 'in/a.onnx'), 'x')
  symlinkSync('in/a.onnx', join(plain, 'b.onnx'))
  symlinkSync('.', join(plain, 'loop'))
  await assert.rejects(filesOfPath(plain, signal), /loop is a link/)
  const deep = join(root, 'deep', ...Array.from({ length: 8 }, () => 'd'))
  mkdirSync(deep, { recursive: true })
  await assert.rejects(filesOfPath(join(root, 'deep'), signal), /more than 6 levels/)
})

test('what lies beside a single file is followed no further than in a folder', async (t) => {
  const root = temporaryFolder(t)
  const folder = join(root, 'voice')
  mkdirSync(folder)
  writeFileSync(join(root, 'secret'), 'secret')
  writeFileSync(join(folder, 'x.onnx'), 'graph')
  writeFileSync(join(folder, 'real.json'), '{}')
  symlinkSync('real.json', join(folder, 'x.onnx.json'))
  mkdirSync(join(folder, 'config.json'))
  const names = async (path: string) => (await filesOfPath(path, signal)).map(({ name, size }) => [name, size])
  assert.deepEqual(await names(join(folder, 'x.onnx')), [
    ['x.onnx', 5],
    ['x.onnx.json', 2],
  ])
  symlinkSync('../secret', join(folder, 'tokenizer.json'))
  await assert.rejects(filesOfPath(join(folder, 'x.onnx'), signal), /tokenizer\.json is a link that leads out of the folder/)
  symlinkSync('lost', join(folder, 'y.onnx.json'))
  writeFileSync(join(folder, 'y.onnx'), 'graph')
  rmSync(join(folder, 'tokenizer.json'))
  await assert.rejects(filesOfPath(join(folder, 'y.onnx'), signal), /y\.onnx\.json is a link to a file that is not there/)

  // In a cache, each file is a link to a blob of the repository.
  const repository = join(root, 'models--someone--voices')
  const snapshot = join(repository, 'snapshots', 'c'.repeat(40))
  mkdirSync(join(repository, 'blobs'), { recursive: true })
  mkdirSync(snapshot, { recursive: true })
  for (const name of ['x.onnx', 'x.onnx.json']) {
    writeFileSync(join(repository, 'blobs', `blob-${name}`), name)
    symlinkSync(`../../blobs/blob-${name}`, join(snapshot, name))
  }
  assert.deepEqual(await names(join(snapshot, 'x.onnx')), [
    ['x.onnx', 6],
    ['x.onnx.json', 11],
  ])
})

test('a limit has one sentence, whether the files are a folder, uploads or a zip file', async (t) => {
  const { folder, staging } = open(t)
  const source = temporaryFolder(t)
  const never = () => assert.fail('the agent is not asked')
  writeFileSync(join(source, 'a'), 'x')
  const zipped = async (names: readonly string[]) => {
    await writeZip(join(source, 'a.zip'), [...names.map((name) => ({ name, content: 'x' }))], null)
    return [offered(join(source, 'a.zip'), 'a.zip')]
  }
  const many = Array.from({ length: 501 }, (_, at) => `${at}.txt`)
  const long = `${'x'.repeat(60)}/`.repeat(17)
  const cases = [
    [many.map((name) => offered(join(source, 'a'), name)), /^There are more than 500 files\./],
    [await zipped(many), /^There are more than 500 files\./],
    [[offered(join(source, 'a'), `${long}x`)], /^The name of a file has more than 1000 characters: xxx/],
  ] as const
  for (const [files, why] of cases)
    await assert.rejects(staging.during({ files, isMoved: false }, signal, never), { code: 'BAD_REQUEST', message: why })
  const deep = await zipped([`${long}x`])
  await assert.rejects(staging.during({ files: deep, isMoved: true }, signal, never), { message: /more than 1000 characters/ })
  const message = { addition: 'a'.repeat(32), index: 0, offset: 0, total: 1, payload: new Uint8Array(), consent_id: '' }
  assert.ok(PutFileMessage.safeParse({ ...message, name: 'x'.repeat(OWN_LIMITS.nameLength) }).success)
  assert.deepEqual(readdirSync(folder), [])
})

test('a file that cannot be read is named without its path', async (t) => {
  const { staging, folder } = open(t)
  const never = () => assert.fail('the agent is not asked')
  for (const name of ['gone.onnx', 'gone.zip']) {
    const files = [{ name, path: join(folder, name), size: 1 }]
    await assert.rejects(staging.during({ files, isMoved: false }, signal, never), (error: Error & { code: string }) => {
      assert.deepEqual([error.code, error.message], ['NOT_FOUND', `${name} cannot be read by this user, or was removed meanwhile.`])
      return true
    })
  }
})

test('uploads on another disk are copied only where the reserve stays free', async (t) => {
  const { folder, staging } = open(t, 1_000_002)
  const other = ['/dev/shm', '/tmp', '/var/tmp'].find((place) => existsSync(place) && statSync(place).dev !== statSync(folder).dev)
  if (other === undefined) return t.skip('there is no second disk')
  const source = mkdtempSync(join(other, 'voice-studio-'))
  t.after(() => rmSync(source, { recursive: true, force: true }))
  writeFileSync(join(source, 'a'), 'one')
  const never = () => assert.fail('the agent is not asked')
  const given = { files: [offered(join(source, 'a'), 'a.onnx')], isMoved: true }
  await assert.rejects(staging.during(given, signal, never), { code: 'STORAGE_FULL' })
  assert.deepEqual(readdirSync(folder), [])
})
