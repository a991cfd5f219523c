// Every command block of README.md and docs runs unchanged, against one studio in a network without an exit, or carries a mark with the
// reason why it does not. The list of marks may only become shorter.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { freePort } from '#test/support/world/world.ts'
import { allBlocks, blocksIn, lineOfMark, REASONS, RUN, SHOWN } from './blocks.ts'

/** It is lowered with each mark that is removed, and never raised. */
const MOST_MARKS = 18
const PROGRAMS = ['apertium', 'bash', 'curl', 'espeak-ng', 'ffmpeg', 'openssl', 'pocketsphinx_continuous', 'python3', 'sha256sum']
const BLOCKS = allBlocks()

test('blocks are fenced and have a language', () => {
  const wrong = BLOCKS.filter(({ isFenced, language }) => !isFenced || !(RUN.has(language) || SHOWN.has(language)))
  assert.deepEqual(
    wrong.map(({ document, text }) => `${document}: ${text.split('\n', 1)[0]}`),
    [],
  )
  const disguised = BLOCKS.filter(({ language, text }) => language === 'text' && /^\s*(?:\.\/studio|curl|npm|docker|python3?) /m.test(text))
  assert.deepEqual(disguised.map(lineOfMark), [])
})

test('every mark has a reason, stands at a command, and is in the list, which only becomes shorter', () => {
  const marked = BLOCKS.filter(({ mark }) => mark !== null)
  for (const block of marked) {
    assert.ok(REASONS.has(block.mark!), `${lineOfMark(block)}: unknown reason`)
    assert.ok(RUN.has(block.language), `${lineOfMark(block)}: no command`)
  }
  const list = readFileSync(join(import.meta.dirname, 'marks.txt'), 'utf8')
    .trim()
    .split('\n')
  assert.deepEqual(marked.map(lineOfMark), list, 'test/documents/marks.txt')
  assert.ok(list.length <= MOST_MARKS, `${list.length} marks; at most ${MOST_MARKS}`)
})

test('a mark counts for the next block only', () => {
  const text =
    '<!-- not run: card -->\n```sh\na\n```\n\nText\n\n```sh\nb\n```\n\n1. One\n\n   <!-- not run: long -->\n   ```sh\n   c\n   ```\n\n       d\n'
  assert.deepEqual(
    blocksIn('x.md', text).map(({ text, mark, isFenced }) => [text, mark, isFenced]),
    [
      ['a', 'card', true],
      ['b', null, true],
      ['c', 'long', true],
      ['d', null, false],
    ],
  )
})

test('what a document shows of the files for reverse proxies is in these files, which run elsewhere', () => {
  for (const [language, file] of [
    ['nginx', 'nginx.conf'],
    ['caddy', 'Caddyfile'],
  ] as const) {
    const [block] = BLOCKS.filter((each) => each.language === language)
    const text = readFileSync(join(REPOSITORY, 'deploy/proxy', file), 'utf8').replace('http://voice_studio', 'http://127.0.0.1:3900')
    for (const line of block!.text.split('\n')) assert.ok(text.includes(`${line.trim()}\n`), line)
  }
})

const missing = PROGRAMS.filter((name) => findProgram(name, process.env['PATH'] ?? '') === null)
/** True if this user may create a network; then the port of the documents is free in it. */
function hasNetworks(): boolean {
  try {
    execFileSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('every command runs unchanged', {
  skip: missing.length > 0 && `${missing.join(', ')} missing; ./studio setup --tests`,
}, async (t) => {
  // The paths of sockets are short.
  const folder = mkdtempSync('/tmp/sd-')
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const program = join(REPOSITORY, 'test/documents/run-blocks.ts')
  const { code, output, errors } = hasNetworks()
    ? await runToEnd('unshare', ['-rn', 'sh', '-c', `ip link set lo up && exec '${process.execPath}' '${program}' '${folder}'`])
    : await runToEnd(process.execPath, [program, folder, String(await freePort()), String(await freePort())])
  assert.equal(code, 0, `${output}\n${errors}`)
  assert.equal(output.match(/^ok /gm)?.length, BLOCKS.filter(({ language, mark }) => RUN.has(language) && mark === null).length)
})
