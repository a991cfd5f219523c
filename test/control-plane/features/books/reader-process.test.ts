import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createReaderProcess, READER_FILES } from '#control-plane/features/books/import/reader-process.ts'
import { programFault } from '#control-plane/media/ffmpeg/program-fault.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { ROOMS } from '#test/architecture/house/room-table.ts'
import { allSources } from '#test/architecture/source.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const CHILD = 'control-plane/features/books/reading'

test('the process reads its book and no other file', async (t) => {
  const folder = temporaryFolder(t)
  const [book, other] = [join(folder, 'book'), join(folder, 'other')]
  writeFileSync(book, 'Hello.')
  writeFileSync(other, 'Secret.')
  const read = createReaderProcess({ clock: { after: () => () => {} }, log: silentLog })
  assert.deepEqual((await read('text', book, AbortSignal.any([]))).chapters, [{ title: '', text: 'Hello.', included: true, why: null }])
  const flags = ['--permission', `--allow-fs-read=${process.cwd()}`, `--allow-fs-read=${book}`, '--no-warnings']
  const direct = (path: string) => spawnSync(process.execPath, [...flags, `${CHILD}/child.ts`, 'text', path], { encoding: 'utf8', env: {} })
  assert.match(direct(book).stdout, /Hello/)
  const denied = direct(other)
  assert.match(denied.stderr, /ERR_ACCESS_DENIED/)
  assert.doesNotMatch(denied.stdout, /Secret/)
})

test('the process ends with its time, and with its request', async (t) => {
  const book = join(temporaryFolder(t), 'book')
  writeFileSync(book, 'Hello.')
  const impatient = createReaderProcess({
    log: silentLog,
    clock: {
      after: (ms, fn) => {
        if (ms > 1000) fn()
        return () => {}
      },
    },
  })
  await assert.rejects(impatient('text', book, AbortSignal.any([])), /longer than 120 seconds/)
  const abort = new AbortController()
  const reading = createReaderProcess({ clock: { after: () => () => {} }, log: silentLog })('text', book, abort.signal)
  abort.abort(new Error('left'))
  await assert.rejects(reading, /left/)
})

test('nothing that the process loads of ours can reach the network or start programs', () => {
  assert.deepEqual(
    ROOMS[CHILD]!.filter((name) => name.startsWith('node:')),
    ['node:fs', 'node:path'],
  )
  const sources = allSources(CHILD).filter(({ path }) => path.endsWith('.ts'))
  assert.ok(sources.length > 5)
  for (const { path, text } of sources)
    assert.doesNotMatch(text, /\bfetch\(|\bWebSocket\b|getBuiltinModule|process\.binding|\brequire\(/, path)
})

/** A copy of what the process loads. `packages`: makes its folder of packages. */
function copyOf(t: TestContext, packages: (at: string) => void): string {
  const root = temporaryFolder(t)
  for (const name of READER_FILES) cpSync(name, join(root, name), { recursive: true })
  packages(join(root, 'node_modules'))
  return root
}
const KINDS = ['text', 'markdown'] as const

test('packages behind a symbolic link are read', async (t) => {
  const root = copyOf(t, (at) => symlinkSync(join(process.cwd(), 'node_modules'), at))
  const book = join(temporaryFolder(t), 'book')
  writeFileSync(book, '# One\n\nHello.')
  const read = createReaderProcess({ clock: { after: () => () => {} }, log: silentLog, root })
  for (const kind of KINDS) assert.match((await read(kind, book, AbortSignal.any([]))).chapters[0]!.text, /Hello/)
})

test('a reader that cannot start is not the fault of the book, and the reason is kept for the log', async (t) => {
  const book = join(temporaryFolder(t), 'book')
  writeFileSync(book, 'Hello.')
  const incomplete = copyOf(t, (at) => {
    for (const name of ['entities', 'marked', 'parse5', 'saxes', 'unpdf', 'xmlchars', 'zod']) mkdirSync(join(at, name), { recursive: true })
  })
  const read = createReaderProcess({ clock: { after: () => () => {} }, log: silentLog, root: incomplete })
  await assert.rejects(read('markdown', book, AbortSignal.any([])), (error: Failure) => {
    assert.deepEqual(
      [error.code, error.message],
      ['PROGRAM_FAILED', 'The program that reads books could not start. The book was not examined.'],
    )
    assert.match(String(error.cause), /Cannot find package|ERR_MODULE_NOT_FOUND/)
    return true
  })
})

test('a reader that stops in the middle names the log, which has the reason', async (t) => {
  const root = copyOf(t, (at) => symlinkSync(join(process.cwd(), 'node_modules'), at))
  writeFileSync(join(root, CHILD, 'text/plain.ts'), "export const readPlainText = () => { throw new TypeError('not a function') }\n")
  const book = join(temporaryFolder(t), 'book')
  writeFileSync(book, 'Hello.')
  const warnings: object[] = []
  const log = { warn: (fields: object) => void warnings.push(fields) }
  const read = createReaderProcess({ clock: { after: () => () => {} }, log, root })
  await assert.rejects(read('text', book, AbortSignal.any([])), {
    code: 'BAD_REQUEST',
    message: /its reader stopped in the middle of it\. The log/,
  })
  assert.match(JSON.stringify(warnings), /TypeError: not a function/)
})

test('a program that did not run, or was ended from outside, says nothing about its input', () => {
  const end = { pid: 5, code: 1, by: null, text: 'Invalid data found when processing input' }
  assert.equal(programFault('ffmpeg', end), null)
  assert.equal(programFault('ffmpeg', { ...end, code: null, by: 'SIGSEGV' }), null, 'a file may crash its decoder')
  for (const [change, code] of [
    [{ pid: undefined, code: null, text: 'spawn EAGAIN' }, 'PROGRAM_FAILED'],
    [{ pid: undefined, code: null, text: 'spawn ffmpeg ENOENT' }, 'PROGRAM_MISSING'],
    [{ code: 127, text: 'ffmpeg: error while loading shared libraries: libavdevice.so.59' }, 'PROGRAM_FAILED'],
    [{ code: null, by: 'SIGKILL' }, 'PROGRAM_KILLED'],
  ] as const)
    assert.equal(programFault('ffmpeg', { ...end, ...change })?.code, code)
})
