// The README on a terminal: a studio, a machine that joins, a machine that listens, and every command in between. A person sees sentences; the
// same programs without a terminal log JSON (all other scenarios read it).
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { studio as command, jsonIn } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, freePort, temporaryFolder } from '#test/support/world/world.ts'

const skip = findProgram('script', process.env['PATH']) ? false : 'needs the program script (util-linux)'

test('a person borrows two machines with the commands of the README', { skip }, async (t) => {
  const [home, attic, cellar] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)]
  const ports = { STUDIO_PORT: String(await freePort()), STUDIO_WORKER_PORT: String(await freePort()) }
  const env = { ...ports, STUDIO_DATA_DIR: home, STUDIO_WORKER_ENDPOINT_HOST: '127.0.0.1', STUDIO_INBOUND_PORT: '0' }
  const desk = startProgram(t, ['cli/main.ts'], env, { terminal: true })
  await desk.says(/Voice Studio listens on http:\/\//)
  const run = async (words: string[], settings: Record<string, string> = env, input = '') => {
    const { code, output, errors } = await command(words, { env: settings, input })
    return { code, output, errors, text: output + errors }
  }
  const ok = async (...words: string[]) => {
    const ended = await run(words)
    assert.equal(ended.code, 0, `${words.join(' ')}: ${ended.text}`)
    return ended.output
  }

  const early = await run(['invite'])
  assert.deepEqual(
    [early.code, early.errors],
    [1, 'studio: Remote machines are off, so a join code would not work yet. First run ./studio workers on.\n'],
  )
  assert.match(
    await ok('workers', 'on'),
    /^Remote machines are on\. They connect to 127\.0\.0\.1:\d+\. To invite one: \.\/studio invite\n$/,
  )
  const code = (await ok('invite', '--label', 'attic')).split('\n')[0]!
  const there = { STUDIO_DATA_DIR: attic }
  assert.equal((await run(['agent', 'join', '-', '--no-service'], there, `${code}\n`)).code, 0)
  const machine = startProgram(t, ['cli/main.ts', 'agent'], there, { terminal: true })
  await machine.says(/The agent is running\. Press Ctrl-C to stop it\./)
  await machine.says(/Connected to studio Voice Studio\.\r\n[\d:]+ {2}Waiting for approval in studio Voice Studio\./)
  await desk.says(/attic has joined\. To approve it, run \.\/studio workers approve /)
  assert.match((await run(['agent', 'status'], there)).output, /^Lending: connected, waiting for approval in studio Voice Studio\n/)

  assert.match(
    await ok('workers', 'use', 'attic'),
    /^attic is chosen, but it is not approved, so .* To send it tasks, run \.\/studio workers approve attic\.\n$/,
  )
  assert.match(await ok('workers', 'approve', 'attic'), /^Approved attic\./)
  await machine.says(/Studio Voice Studio has approved this machine\./)
  const said = join(home, 'said.wav')
  await ok('say', 'Good morning.', '-o', said)
  assert.ok(existsSync(said))
  await machine.says(/Working on a task for Voice Studio \(tts, .*\)\.\r\n[\d:]+ {2}Finished a task for Voice Studio\./)
  assert.equal(
    await ok('workers', 'use', 'auto'),
    'Speech, dubs, audiobooks and dictation now run on the fastest machine that is ready. Other work runs on this machine.\n',
  )
  assert.equal(await ok('workers', 'use', 'local'), 'Tasks now run on this machine.\n')
  await ok('workers', 'withdraw', 'attic')
  await machine.says(/has withdrawn its approval\./)

  const refused = await run(['say', 'Hello.', '-o', join(home, 'refused.wav'), '--voice', 'noname'])
  assert.equal(refused.code, 5)
  assert.match(
    refused.errors,
    /^studio: There is no voice noname for .*\. The voices are: heart\. Without --voice the default voice is used\.\n$/,
  )
  assert.equal(existsSync(join(home, 'refused.wav')), false)

  // No agent runs in the cellar yet: `agent listen` starts it.
  const listening = { STUDIO_DATA_DIR: cellar, STUDIO_INBOUND_PORT: '0' }
  assert.equal((await run(['agent', 'listen', '--off'], listening)).output, 'No agent is running here. The next one will not listen.\n')
  const listener = startProgram(t, ['cli/main.ts', 'agent', 'listen'], listening, { terminal: true })
  await listener.says(/Listening: on 127\.0\.0\.1:\d+ \(this machine only\)/)
  await listener.says(/The agent is running\. Press Ctrl-C to stop it\./)
  const string = (await run(['agent', 'keys', 'add', 'Ada'], listening)).output.split('\n')[0]!
  assert.equal((await run(['workers', 'connect', '-'], env, `${string}\n`)).code, 0)
  await listener.says(/Connected to studio Ada\./)
  const id = await eventually(async () => {
    const { workers } = jsonIn(await ok('workers', '--json')) as { workers: { id: string; label: string; is_local: boolean }[] }
    return workers.find(({ label, is_local }) => !is_local && label !== 'attic')?.id
  })
  await ok('workers', 'approve', id)
  await listener.says(/Studio Ada has approved this machine\./)
  assert.match((await run(['agent', 'finish'], listening)).output, /exits now/)
  assert.equal(await listener.ended, 0)
  await ok('workers', 'off')
  await machine.says(/The connection to studio Voice Studio has ended\./)
  for (const program of [desk, machine, listener]) assert.doesNotMatch(program.output(), /[{}]|"level"/)
})

test('with --json the agent logs JSON on a terminal', { skip }, async (t) => {
  const agent = startProgram(t, ['cli/main.ts', 'agent', '--json'], { STUDIO_DATA_DIR: temporaryFolder(t) }, { terminal: true })
  await agent.says(/"listening":false.*agent started/)
  await agent.says(/serves no studio/)
  for (const line of agent.output().trim().split(/\r?\n/)) assert.doesNotThrow(() => JSON.parse(line), line)
})
