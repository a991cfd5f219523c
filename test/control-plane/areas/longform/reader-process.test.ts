import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createReaderProcess } from '#control-plane/areas/longform/import/reader-process.ts'
import { ROOMS } from '#test/architecture/rules.ts'
import { allSources } from '#test/architecture/source.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const CHILD = 'control-plane/areas/longform/reading'

test('the process reads its book and no other file', async (t) => {
  const folder = temporaryFolder(t)
  const [book, other] = [join(folder, 'book'), join(folder, 'other')]
  writeFileSync(book, 'Hello.')
  writeFileSync(other, 'Secret.')
  const read = createReaderProcess({ clock: { after: () => () => {} } })
  assert.deepEqual((await read('text', book, AbortSignal.any([]))).chapters, [{ title: '', text: 'Hello.' }])
  const flags = ['--permission', `--allow-fs-read=${process.cwd()}`, `--allow-fs-read=${book}`, '--no-warnings']
  const direct = (path: string) => spawnSync(process.execPath, [...flags, `${CHILD}/child.ts`, 'text', path], { encoding: 'utf8', env: {} })
  assert.match(direct(book).stdout, /Hello/)
  const denied = direct(other)
  assert.match(denied.stderr, /ERR_ACCESS_DENIED/)
  assert.equal(denied.stdout, '')
})

test('the process ends with its time, and with its request', async (t) => {
  const book = join(temporaryFolder(t), 'book')
  writeFileSync(book, 'Hello.')
  const impatient = createReaderProcess({
    clock: {
      after: (ms, fn) => {
        if (ms > 1000) fn()
        return () => {}
      },
    },
  })
  await assert.rejects(impatient('text', book, AbortSignal.any([])), /longer than 120 seconds/)
  const abort = new AbortController()
  const reading = createReaderProcess({ clock: { after: () => () => {} } })('text', book, abort.signal)
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
