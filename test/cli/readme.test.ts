// Runs every command in the blocks of README.md unchanged and in order, against one studio and one agent.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { addressOf, REPOSITORY, runToEnd, studio } from '../support/world/cli.ts'
import { startProgram } from '../support/world/process.ts'
import { eventually, freePort, openWorld, temporaryFolder } from '../support/world/world.ts'

const README = readFileSync(join(REPOSITORY, 'README.md'), 'utf8')
const curl = findProgram('curl', process.env['PATH'])

/** Commands of the indented blocks, without their comments; a line that ends in a backslash goes on in the next one. */
const commands = [...README.matchAll(/^ {4,}((?:\.\/studio|curl)\b(?:.*\\\n)*.*)$/gm)].map(([, text = '']) =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .replace(/\s+#.*$/, '')
    .trim(),
)
/** The words after `./studio`, without the quotes of a shell. */
const wordsOf = (command: string) =>
  [...command.replace(/^\.\/studio ?/, '').matchAll(/"([^"]*)"|\S+/g)].map(([whole, quoted]) => quoted ?? whole)

test('README.md shows the page in its first screen, and the picture is small', () => {
  const [, picture = ''] = /!\[[^\]]{10,}\]\((docs\/[\w.-]+)\)/.exec(README.split('\n').slice(0, 12).join('\n')) ?? []
  assert.ok(statSync(join(REPOSITORY, picture)).size <= 150_000, picture)
})

test('every command in a block of README.md runs', { skip: !curl && 'curl is not installed' }, async (t) => {
  const world = await openWorld(t)
  const folder = temporaryFolder(t)
  const env = addressOf(world)
  const agentEnv = { STUDIO_DATA_DIR: join(folder, 'agent') }
  const waiting = [...commands]
  /** Runs the next command of the file, which must be this one. */
  const next = async (expected: string, options: Parameters<typeof studio>[1] = { env, cwd: folder }) => {
    assert.equal(waiting.shift(), expected)
    const ended = await studio(wordsOf(expected.replace('CODE', code)), options)
    assert.equal(ended.code, 0, `${expected}: ${ended.errors}`)
    return ended
  }
  let code = ''

  assert.equal(waiting.shift(), './studio', 'the start is tested in test/cli/bootstrap.test.ts')
  await next('./studio say "Good morning." -o hello.mp3')
  assert.ok(statSync(join(folder, 'hello.mp3')).size > 1_000)
  const lend = waiting.shift()
  assert.equal(lend, './studio agent join CODE')
  const request = waiting.shift() ?? ''
  assert.match(request, /^curl http:\/\/127\.0\.0\.1:3900\/v1\/audio\/speech /)
  const asked = await runToEnd('sh', ['-euc', request.replace('http://127.0.0.1:3900', world.url)], { cwd: folder })
  assert.equal(asked.code, 0, asked.errors)
  assert.match(readFileSync(join(folder, 'morning.mp3')).toString('latin1', 0, 3), /^(?:ID3|\xff)/)

  await next('./studio workers on')
  const invited = await next('./studio invite --label attic')
  ;[code = ''] = /svcj_\S+/.exec(invited.output) ?? []
  waiting.unshift(lend)
  await next('./studio agent join CODE', { env: agentEnv })
  // No service can be installed in this test, which the command says.
  const agent = startProgram(t, ['cli/main.ts', 'agent'], agentEnv)
  await eventually(async () =>
    (await world.get('/workers')).json().workers.some((each: { id: string; connected: boolean }) => each.id !== 'local' && each.connected),
  )
  await next('./studio workers approve attic')
  await next('./studio workers use attic')
  assert.equal((await world.post('/v1/audio/speech', { input: 'On the other machine.' })).status, 200)
  await agent.says(/an attempt is complete/)

  // A machine that accepts connections is another one.
  const listening = { STUDIO_DATA_DIR: join(folder, 'listening'), STUDIO_INBOUND_PORT: String(await freePort()) }
  const listener = startProgram(t, ['cli/main.ts', 'agent', 'listen', '--bind', '127.0.0.1'], listening)
  const added = await eventually(async () => {
    const ended = await studio(['agent', 'keys', 'add', 'Ann'], { env: listening })
    return ended.code === 0 && ended
  })
  const [string = ''] = /svcnode:\/\/\S+/.exec(added.output) ?? []
  await next('./studio workers connect -', { env, cwd: folder, input: `${string}\n` })
  assert.deepEqual(waiting, [])
  for (const program of [listener, agent]) assert.equal(await program.end('SIGTERM'), 0)
})
