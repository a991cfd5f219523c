// Where the files of an addition wait for the agent: nothing outside of the folder is written, the disk keeps its reserve, and nothing stays.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createFound } from '#control-plane/features/machines/models/own/found.ts'
import { filesOfPath } from '#control-plane/features/machines/models/own/offered-files.ts'
import { createStaging } from '#control-plane/features/machines/models/own/staging.ts'
import { writeZip } from '#shared/archive/zip.ts'
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
