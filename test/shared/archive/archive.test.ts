import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, promises, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { type UnzipLimits, unzip } from '#shared/archive/unzip.ts'
import { writeZip, type ZipEntry } from '#shared/archive/zip.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { hostileArchives } from '#test/support/archive/hostile.ts'
import { type RawEntry, rawZip } from '#test/support/archive/raw-zip.ts'
import type { Ending } from '#test/support/world/process.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const LIMITS: UnzipLimits = {
  entries: 32,
  totalBytes: 1 << 20,
  bytesOf: (name) => (/^(data\.json|sound\.wav)$/.test(name) ? 1 << 19 : null),
  reserve: async () => {},
}
const never = new AbortController().signal

/** Unpacks `bytes` in a fresh folder. */
function unpacker(t: Ending, limits = LIMITS) {
  const parent = temporaryFolder(t)
  let count = 0
  return async (bytes: Buffer, signal = never) => {
    const folder = join(parent, String(count++))
    mkdirSync(folder)
    writeFileSync(`${folder}.zip`, bytes)
    const { members, skipped } = await unzip(`${folder}.zip`, folder, limits, signal)
    const contents = [...members].map(([name, { path, bytes: size }]) => {
      const content = readFileSync(path)
      assert.equal(content.length, size)
      return [name, content.toString('latin1')]
    })
    return { contents: Object.fromEntries(contents) as Record<string, string>, skipped, folder, parent }
  }
}
const isRefused = (error: unknown) => error instanceof Failure && error.code === 'BAD_REQUEST'
const DATA: RawEntry = { name: 'data.json', content: '{"a":"a text that is long enough for the archive"}' }
const GOOD: readonly RawEntry[] = [{ name: 'sound.wav', content: 'sound' }, DATA]

test('wanted members are extracted under numbers; folders are ignored and other files named', async (t) => {
  const unpack = unpacker(t)
  const { contents, skipped, folder } = await unpack(
    rawZip([...GOOD, { name: 'folder/', content: '', mode: 0o040755 }, { name: 'Read.me', content: 'x' }], { comment: 'made by hand' }),
  )
  assert.deepEqual(contents, { 'sound.wav': 'sound', 'data.json': DATA.content })
  assert.deepEqual(skipped, ['read.me'])
  assert.deepEqual(readdirSync(folder).sort(), ['0', '1'])
})

test('hostile and damaged archives are refused, and nothing appears outside of the private folder', async (t) => {
  const unpack = unpacker(t)
  for (const { name, bytes } of hostileArchives(GOOD, DATA)) {
    if (name === 'archives in archives') {
      const { contents, skipped } = await unpack(bytes)
      assert.deepEqual({ contents, skipped }, { contents: {}, skipped: ['next.zip'] })
    } else await assert.rejects(unpack(bytes), isRefused, name)
  }
  const { parent } = await unpack(rawZip(GOOD))
  assert.ok(readdirSync(parent).every((name) => /^\d+(\.zip)?$/.test(name)))
})

test('limits apply to the bytes that come out, of one member and of all together', async (t) => {
  const big = { name: 'data.json', content: Buffer.alloc(600_000), isDeflated: true }
  await assert.rejects(unpacker(t)(rawZip([big])), isRefused)
  const half = { ...big, content: Buffer.alloc(500_000) }
  const small = unpacker(t, { ...LIMITS, totalBytes: 600_000 })
  assert.equal(Object.keys((await small(rawZip([half]))).contents).length, 1)
  await assert.rejects(small(rawZip([half, { ...half, name: 'sound.wav' }])), isRefused)
})

test('an archive for which there is no space fails with the reason', async (t) => {
  const full = new Failure('STORAGE_FULL', 'The disk is full.')
  const reserve = () => Promise.reject(full)
  await assert.rejects(unpacker(t, { ...LIMITS, reserve })(rawZip(GOOD)), full)
})

test('an extraction ends with its signal', async (t) => {
  const reason = new Error('the client left')
  await assert.rejects(unpacker(t)(rawZip(GOOD), AbortSignal.abort(reason)), reason)
})

test('a changed byte is refused or changes no content', async (t) => {
  const unpack = unpacker(t)
  const bytes = rawZip(GOOD)
  const { contents } = await unpack(bytes)
  const names = new Set(['sound.wav', 'data.json'])
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Buffer.from(bytes)
      changed[at]! ^= change
      const result = await unpack(changed).catch((error: unknown) => {
        assert.ok(isRefused(error), String(error))
        return null
      })
      for (const [name, content] of Object.entries(result?.contents ?? {})) if (names.has(name)) assert.equal(content, contents[name])
    }),
    { numRuns: 200 },
  )
})

const entriesIn = (folder: string): ZipEntry[] => {
  writeFileSync(join(folder, 'sound'), 'the bytes of a recording')
  return [
    { name: 'data.json', content: '{"a":1}', isStored: true },
    { name: 'sound.wav', file: join(folder, 'sound') },
  ]
}

test('equal entries without a date give equal bytes, in every time zone', async (t) => {
  const folder = temporaryFolder(t)
  const entries = entriesIn(folder)
  const before = process.env['TZ']
  const files: string[] = []
  try {
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
      process.env['TZ'] = zone
      await writeZip(join(folder, 'one.zip'), entries, null)
      files.push(readFileSync(join(folder, 'one.zip'), 'hex'))
    }
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
  assert.equal(new Set(files).size, 1)
  assert.deepEqual((await unpacker(t)(readFileSync(join(folder, 'one.zip')))).contents, {
    'data.json': '{"a":1}',
    'sound.wav': 'the bytes of a recording',
  })
})

test('an entry whose file is missing leaves no archive behind', async (t) => {
  const folder = temporaryFolder(t)
  await assert.rejects(writeZip(join(folder, 'one.zip'), [{ name: 'a', file: join(folder, 'missing') }], null))
  assert.deepEqual(readdirSync(folder), [])
})

test('an archive that is stopped at any moment leaves no file and no open source', async (t) => {
  const folder = temporaryFolder(t)
  const entries = [...entriesIn(folder), { name: 'again.wav', file: join(folder, 'sound') }]
  const isOpen = (path: string) =>
    readdirSync('/proc/self/fd').some((each) => {
      try {
        return readlinkSync(join('/proc/self/fd', each)) === path
      } catch {
        return false // closed meanwhile
      }
    })
  for (let looks = 1, isStopped = true; isStopped; looks++) {
    let left = looks
    const throwIfAborted = () => {
      if (--left === 0) throw new Error('stopped')
    }
    isStopped = await writeZip(join(folder, 'one.zip'), entries, null, { throwIfAborted } as AbortSignal).then(
      () => false,
      (error) => /^stopped$/.test(error.message),
    )
    assert.deepEqual(readdirSync(folder), isStopped ? ['sound'] : ['one.zip', 'sound'])
    if (existsSync('/proc/self/fd')) await eventually(() => !isOpen(join(folder, 'sound')))
    if (!isStopped) assert.ok(looks > entries.length)
  }
})

const [unzipProgram, python] = [findProgram('unzip', process.env['PATH']), findProgram('python3', process.env['PATH'])]

test('unzip reads our archives', { skip: unzipProgram === null && 'unzip is not installed' }, async (t) => {
  const folder = temporaryFolder(t)
  await writeZip(join(folder, 'one.zip'), entriesIn(folder), null)
  assert.match(execFileSync(unzipProgram!, ['-t', join(folder, 'one.zip')], { encoding: 'utf8' }), /No errors detected/)
})

test('Python reads our archives', { skip: python === null && 'python3 is not installed' }, async (t) => {
  const folder = temporaryFolder(t)
  await writeZip(join(folder, 'one.zip'), entriesIn(folder), null)
  const script = 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(z.read("sound.wav").decode())'
  assert.equal(execFileSync(python!, ['-c', script, join(folder, 'one.zip')], { encoding: 'utf8' }).trim(), 'the bytes of a recording')
})

test('a damaged member is refused and does not end the process where its file opens late', async (t) => {
  const unpack = unpacker(t)
  const openNow = promises.open
  t.mock.method(promises, 'open', async (...args: Parameters<typeof openNow>) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return openNow(...args)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const content = String(DATA.content)
  for (const size of [content.length - 1, content.length + 1])
    await assert.rejects(unpack(rawZip([{ ...DATA, isDeflated: true, size }])), isRefused)
})
