// A real Python program behind the real pool and a real host: after every fault its task fails with a message, and the next one succeeds.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { installSidecar, noPython } from '#test/support/world/sidecar.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { collect, failsWith, isAlive, nextOf, oneSegment, openPool, until } from '../host/open-pool.ts'

const engine = 'cosyvoice'
const limit = { skip: noPython, timeout: 120_000 }
async function open(t: TestContext, ...flags: string[]) {
  const sidecars = temporaryFolder(t)
  installSidecar(sidecars, engine, ...flags)
  const opened = await openPool(t, { sidecars, environment: { PATH: process.env['PATH'] ?? '' } })
  const speak = (text: string, signal?: AbortSignal) => opened.tts(oneSegment(text), { engine, ...(signal && { signal }) })
  return { ...opened, sidecars, speak }
}

test('it runs, streams in order and counts right', limit, async (t) => {
  const { pool, tts } = await open(t)
  const row = (await pool.capabilities()).find((each) => each.engine === engine)!
  assert.deepEqual([row.implementation, row.standsIn, row.downloaded, row.sampleRate], ['sidecar', null, true, 16_000])
  const { events, parts, result } = await collect(tts({ segments: [{ text: 'One.', pause_after_ms: 100 }, { text: 'Two.' }] }, { engine }))
  assert.deepEqual(
    parts.map((bytes) => bytes.length / 2),
    [4_800, 3_200],
  )
  assert.deepEqual([result.sample_rate, result.voice, result.notices], [16_000, 'tone', []])
  assert.ok(events.filter(({ kind }) => kind === 'audio').length >= 5)
  assert.ok(parts[0]!.subarray(-3_200).every((byte) => byte === 0) && parts[1]!.some((byte) => byte !== 0))
  await pool.unload(engine)
  await collect(tts(oneSegment('Again.'), { engine }))
})

test('a cancelled run keeps its host', limit, async (t) => {
  const { hosts, speak } = await open(t)
  const abort = new AbortController()
  const long = speak('a long text', abort.signal)
  await nextOf(long, 'audio')
  abort.abort()
  await failsWith(long, 'CANCELLED')
  await collect(speak('Again.'))
  assert.equal(hosts.length, 1)
})

test('one that crashes fails its run only', limit, async (t) => {
  const { speak, hosts } = await open(t)
  const failure = await failsWith(speak('crash'), 'ENGINE_CRASHED')
  assert.match(failure.message, /sidecar of cosyvoice died \(exit code 3\)/)
  await collect(speak('Again.'))
  assert.equal(hosts.length, 1, 'the host has not died with it')
})

test('a sidecar that hangs or ignores a cancellation is killed', limit, async (t) => {
  const { speak } = await open(t)
  assert.match((await failsWith(speak('hang'), 'ENGINE_HUNG')).message, /sent nothing for 1 s/)
  const abort = new AbortController()
  const deaf = speak('deaf', abort.signal)
  await nextOf(deaf, 'running')
  abort.abort()
  await failsWith(deaf, 'CANCELLED')
  await collect(speak('Again.'))
})

test('invalid messages, endless output and wrong counts are reported without their content', limit, async (t) => {
  const { speak } = await open(t)
  const garbage = await failsWith(speak('garbage'), 'WORKER_FAILED')
  assert.match(garbage.message, /not a JSON object; print to standard error/)
  assert.doesNotMatch(garbage.message, /checkpoint/)
  assert.match((await failsWith(speak('flood'), 'WORKER_FAILED')).message, /a line longer than 1048576 bytes/)
  assert.match((await failsWith(speak('lie'), 'WORKER_FAILED')).message, /sample count for part 0/)
  assert.match((await failsWith(speak('refuse'), 'INVALID_TASK_PARAMS')).message, /it refuses/)
  await failsWith(speak('x'.repeat(100_001)), 'INVALID_TASK_PARAMS')
  await collect(speak('Again.'))
})

test('another protocol version is rejected, and a missing program is reported', limit, async (t) => {
  const { speak } = await open(t, '--newer')
  assert.match((await failsWith(speak('Hello.'), 'WORKER_FAILED')).message, /invalid protocol/)
  const other = temporaryFolder(t)
  installSidecar(other, engine)
  const { tts } = await openPool(t, { sidecars: other, environment: { PATH: '/nowhere' } })
  const manifest = join(other, engine, 'sidecar.json')
  const { readFileSync } = await import('node:fs')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"[^"]*python3"/, '"/nowhere/python3"'))
  assert.match((await failsWith(tts(oneSegment('Hello.'), { engine }), 'ENGINE_CRASHED')).message, /there is no \/nowhere\/python3/)
})

test('sidecars can be installed, removed and damaged while the agent runs; none replaces a built-in engine', limit, async (t) => {
  const { pool, sidecars } = await open(t)
  const looked = ['cosyvoice', 'indextts2', 'svc-engine', 'tone', 'voxcpm2']
  const names = async () => {
    const rows = await pool.capabilities()
    return looked.filter((engine) => rows.some((row) => row.engine === engine))
  }
  assert.deepEqual(await names(), ['cosyvoice', 'svc-engine', 'tone'])
  installSidecar(sidecars, 'voxcpm2')
  installSidecar(sidecars, 'tone')
  mkdirSync(join(sidecars, 'indextts2'))
  writeFileSync(join(sidecars, 'indextts2', 'sidecar.json'), '{')
  assert.deepEqual(await names(), ['cosyvoice', 'svc-engine', 'tone', 'voxcpm2'])
  assert.equal((await pool.capabilities()).filter((row) => row.engine === 'tone' && row.implementation === 'sidecar').length, 0)
  writeFileSync(join(sidecars, 'voxcpm2', 'sidecar.json'), '{}')
  assert.deepEqual(await names(), ['cosyvoice', 'svc-engine', 'tone'])
})

test('no sidecar outlives its pool', { ...limit, skip: noPython || (process.platform !== 'linux' && 'reads /proc') }, async (t) => {
  const { pool, speak, hosts } = await open(t)
  await collect(speak('Hello.'))
  const { readFileSync } = await import('node:fs')
  const children = readFileSync(`/proc/${hosts[0]}/task/${hosts[0]}/children`, 'latin1').trim().split(' ').map(Number)
  assert.equal(children.filter(isAlive).length, 1)
  await pool.stop()
  await until(() => !children.some(isAlive), 'the sidecar is gone')
})
