// Engines that crash, hang, ignore a cancellation or report wrong counts, in real processes; and an agent that dies before its hosts.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '#shared/runtime/clock.ts'
import { slowProcesses } from '#test/support/chaos/slow-hosts.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { collect, failsWith, isAlive, nextOf, oneSegment, openPool, until } from './open-pool.ts'

const faulty = (kind: string, more: object = {}) => ({ segments: [{ text: 'first' }, { text: 'second' }], fault: { kind, ...more } })
const SLOW = oneSegment('a long story '.repeat(50), { fault: { kind: 'slow', msPerChar: 200 } })

test('a crash ends every run of that host, and the next run gets a new one', async (t) => {
  const { pool, hosts, tts } = await openPool(t)
  const bystander = tts(SLOW)
  await nextOf(bystander, 'audio')
  const crashing = tts(faulty('crash', { afterParts: 1 }))
  await nextOf(crashing, 'audio')
  await failsWith(crashing, 'ENGINE_CRASHED')
  await failsWith(bystander, 'ENGINE_CRASHED')
  assert.equal(isAlive(hosts[0]!), false)
  assert.deepEqual(pool.resident(), [])
  assert.equal(pool.freePermits('tone'), 4)
  await collect(tts(oneSegment('again')))
  assert.equal(hosts.length, 2)
})

test('an engine that crashes repeatedly is restarted with a backoff, and the wait can be cancelled', async (t) => {
  const { hosts, tts } = await openPool(t, { random: { unit: () => 0.999, hex: () => '', bytes: () => Buffer.alloc(0) } })
  for (let death = 0; death < 2; death++) await failsWith(tts(faulty('crash')), 'ENGINE_CRASHED')
  const abort = new AbortController()
  const impatient = tts(oneSegment('never'), { signal: abort.signal })
  const patient = tts(oneSegment('in the end'))
  await nextOf(impatient, 'loading')
  abort.abort()
  await failsWith(impatient, 'CANCELLED')
  assert.equal(hosts.length, 2, 'the third host waits')
  await collect(patient)
  assert.equal(hosts.length, 3)
})

test('a host with a blocked main thread is killed', async (t) => {
  const { hosts, tts } = await openPool(t)
  const hanging = tts(faulty('hang', { afterParts: 1 }))
  await nextOf(hanging, 'audio')
  assert.match((await failsWith(hanging, 'ENGINE_HUNG')).message, /blocked by one step/)
  assert.equal(isAlive(hosts[0]!), false)
})

test('a step of a host that gets a fifth of a processor is not killed, although it lasts longer than its limit', async (t) => {
  const { hosts, tts } = await openPool(t)
  const computing = tts(faulty('compute', { seconds: 3 }))
  slowProcesses(t, () => hosts.filter(isAlive))
  const from = systemClock.mono()
  const { result } = await collect(computing)
  assert.equal(result.parts.length, 2)
  assert.equal(hosts.length, 1)
  // Else this test has proved nothing.
  assert.ok(systemClock.mono() - from > 10_000, `it took ${systemClock.mono() - from} ms`)
})

test('a step that computes for longer than its limit is killed', async (t) => {
  const { hosts, tts } = await openPool(t)
  assert.match((await failsWith(tts(faulty('compute', { seconds: 600 })), 'ENGINE_HUNG')).message, /blocked by one step for 5 s/)
  assert.equal(isAlive(hosts[0]!), false)
})

test('a stopped process is detected by its missing heartbeat', async (t) => {
  const { hosts, tts } = await openPool(t, { limits: { maxSilenceSeconds: 5 } })
  const slow = tts(SLOW)
  await nextOf(slow, 'audio')
  process.kill(hosts[0]!, 'SIGSTOP')
  assert.match((await failsWith(slow, 'ENGINE_HUNG')).message, /no heartbeat/)
  assert.equal(isAlive(hosts[0]!), false)
})

for (const { pause, outcome } of [
  { pause: 6, outcome: 'is waited for' },
  { pause: Infinity, outcome: 'is given up in the end' },
])
  test(`a host with a late first heartbeat ${outcome}`, async (t) => {
    const onStart = (pid: number) => {
      process.kill(pid, 'SIGSTOP')
      if (pause < Infinity) void systemClock.sleep(pause * 1000).then(() => process.kill(pid, 'SIGCONT'))
    }
    const { tts } = await openPool(t, { limits: { maxSilenceSeconds: 4, maxStartSeconds: pause < Infinity ? 60 : 2 } }, onStart)
    if (pause < Infinity) await collect(tts(oneSegment('late')))
    else assert.match((await failsWith(tts(oneSegment('never')), 'ENGINE_HUNG')).message, /no heartbeat for 2 s/)
  })

test('a run that ignores its cancellation ends its host, and the other runs fail', async (t) => {
  const { hosts, tts } = await openPool(t, { limits: { cancelGraceMs: 300 } })
  const neighbour = tts(SLOW)
  await nextOf(neighbour, 'audio')
  const abort = new AbortController()
  const deaf = tts(faulty('deaf', { afterParts: 1 }), { signal: abort.signal })
  await nextOf(deaf, 'audio')
  abort.abort(new Error('changed my mind'))
  assert.match(String((await failsWith(deaf, 'CANCELLED')).cause), /changed my mind/)
  assert.match((await failsWith(neighbour, 'ENGINE_CRASHED')).message, /another task/)
  assert.equal(isAlive(hosts[0]!), false)
  await collect(tts(oneSegment('again')))
})

test('non-finite samples, failures and wrong counts reach the caller with their code', async (t) => {
  const { hosts, tts } = await openPool(t)
  await failsWith(tts(faulty('nan')), 'NON_FINITE_OUTPUT')
  await failsWith(tts(faulty('fail', { code: 'INSUFFICIENT_MEMORY' })), 'INSUFFICIENT_MEMORY')
  await failsWith(tts(faulty('fail', { code: 'NO_SUCH_CODE' })), 'INVALID_TASK_PARAMS')
  await failsWith(tts(faulty('crash', { after: 1 })), 'INVALID_TASK_PARAMS')
  assert.equal(((await collect(tts(faulty('digest')))).result as { wrong_digest?: boolean }).wrong_digest, true)
  await failsWith(tts(oneSegment('hi', { fault: { kind: 'crash' } }), { engine: 'svc-engine' }), 'INVALID_TASK_PARAMS')
  assert.equal(hosts.filter((pid) => !isAlive(pid)).length, 0, 'none of this kills a host')
})

test('signals meant for the agent do not end its hosts', async (t) => {
  const { hosts, tts } = await openPool(t)
  await collect(tts(oneSegment('hi')))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(hosts[0]!, signal)
  await collect(tts(oneSegment('still here')))
  assert.equal(hosts.length, 1)
})

test('a program and its children end with the host that was killed, also when they write nothing', async (t) => {
  const folder = temporaryFolder(t)
  const pids = join(folder, 'pids')
  const voices = `Pty Language Age/Gender VoiceName File Other\\n 5 en-us --/M English gmw/en-US\\n`
  // The host names the program to the agent right after it has started it; on a busy machine that can come after the first lines of the script.
  const script = `#!/bin/sh
[ "$1" = --voices ] && { printf '${voices}'; exit; }
sleep 1000 &
sleep 1
echo $$ $! > '${pids}.new'
mv '${pids}.new' '${pids}'
wait
`
  writeFileSync(join(folder, 'espeak-ng'), script, { mode: 0o755 })
  const { hosts, tts } = await openPool(t, { environment: { PATH: `${folder}:/usr/bin:/bin` } })
  const speaking = tts(oneSegment('hi', { language: 'en' }), { engine: 'espeak-ng' })
  const failed = failsWith(speaking, 'ENGINE_CRASHED')
  await until(() => existsSync(pids), 'the program runs')
  const programs = readFileSync(pids, 'utf8').split(' ').map(Number)
  assert.deepEqual(programs.map(isAlive), [true, true])
  process.kill(hosts[0]!, 'SIGKILL')
  await failed
  for (const pid of programs) await until(() => !isAlive(pid), 'it has ended')
})

for (const fault of ['deaf', 'hang']) {
  test(`a host whose agent was killed ends itself, also while its main thread is in "${fault}"`, async (t) => {
    const script = fileURLToPath(new URL('./lonely-parent.ts', import.meta.url))
    const parent = spawn(process.execPath, [script, fault], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const host = Number(line.toString().trim().split('\n')[0])
    assert.ok(host > 0 && isAlive(host))
    t.after(() => isAlive(host) && process.kill(host, 'SIGKILL'))
    await systemClock.sleep(500) // so that the fault has begun
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    t.diagnostic(`host gone after ${Math.round(await until(() => !isAlive(host), 'the host is gone'))} ms`)
  })
}

test('stopping the pool ends all runs and processes, even unresponsive ones', async (t) => {
  const { pool, hosts, tts } = await openPool(t, { limits: { endGraceMs: 300 } })
  const polite = tts(oneSegment('hello '.repeat(500)), { engine: 'svc-engine' })
  await nextOf(polite, 'audio')
  // Last, because a host that hangs is killed after some seconds.
  const hanging = tts(faulty('hang', { afterParts: 1 }))
  await nextOf(hanging, 'audio')
  await Promise.all([pool.stop(), failsWith(hanging, 'WORKER_DRAINING'), failsWith(polite, 'WORKER_DRAINING')])
  assert.deepEqual(hosts.map(isAlive), [false, false])
  assert.throws(() => tts(oneSegment('hi')), /stopped/)
  await pool.stop()
  await pool.start()
  await collect(tts(oneSegment('up again')))
})
