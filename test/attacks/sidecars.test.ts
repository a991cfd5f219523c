// A sidecar that floods its log and its progress, and leaves processes behind. The agent's host stays small and answers, the log stays short,
// and nothing outlives the sidecar.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Log } from '#shared/runtime/log.ts'
import { collect, failsWith, isAlive, oneSegment, openPool, until } from '../agent/engine/host/open-pool.ts'
import { installSidecar, noPython } from '../support/world/sidecar.ts'
import { temporaryFolder } from '../support/world/world.ts'

const engine = 'indextts2'
const options = { skip: noPython || (process.platform !== 'linux' && 'reads /proc') }
/** A host takes about 100 MiB. The line has 300. */
const MAX_MEMORY_KIB = 200 * 1024

async function open(t: TestContext) {
  const sidecars = temporaryFolder(t)
  installSidecar(sidecars, engine)
  const manifest = join(sidecars, engine, 'sidecar.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"silence_seconds": 1', '"silence_seconds": 120'))
  const hosts: number[] = []
  const lines: string[] = []
  const log: Log = {
    debug: () => {},
    info: (fields, message) => void (message === 'engine host started' && hosts.push((fields as { pid: number }).pid)),
    warn: (fields, message) => void (message === 'engine host: standard error' && lines.push((fields as { line: string }).line)),
    error: () => {},
    child: () => log,
  }
  const { pool, tts } = await openPool(t, { sidecars, log, environment: { PATH: process.env['PATH'] ?? '' } })
  const folder = join(sidecars, engine)
  return { pool, hosts, lines, folder, speak: (text: string) => tts(oneSegment(text), { engine }) }
}
/** The most memory that a process has had, in KiB. */
const peakOf = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1])

test('a line of 300 MB in the log of a sidecar takes no memory of the host', options, async (t) => {
  const { hosts, lines, speak } = await open(t)
  await collect(speak('shout'))
  assert.equal(hosts.length, 1)
  assert.ok(peakOf(hosts[0]!) < MAX_MEMORY_KIB, `${peakOf(hosts[0]!)} KiB`)
  await collect(speak('Again.'))
  assert.ok(lines.every((line) => line.length <= 500))
})

test('a million lines in the log of a sidecar become a few hundred, and a count', options, async (t) => {
  const { hosts, lines, speak } = await open(t)
  const startedAt = performance.now()
  await collect(speak('chatter'))
  await until(() => lines.some((line) => /\d+ further lines were dropped/.test(line)) || lines.length > 1_000, 'the count')
  const seconds = (performance.now() - startedAt) / 1000
  assert.ok(lines.length <= 250 + 25 * seconds, `${lines.length} lines in ${seconds} s`)
  assert.ok(peakOf(hosts[0]!) < MAX_MEMORY_KIB)
})

test('a hundred thousand messages of progress are reported ten times a second', options, async (t) => {
  const { hosts, speak } = await open(t)
  const startedAt = performance.now()
  const { events } = await collect(speak('busy'))
  const reported = events.filter(({ kind }) => kind === 'progress').length
  assert.ok(reported >= 1 && reported <= 2 + (performance.now() - startedAt) / 100, `${reported} events`)
  assert.ok(peakOf(hosts[0]!) < MAX_MEMORY_KIB)
})

test('the children of a sidecar end with it: unloaded, crashed, or with its host', options, async (t) => {
  const { pool, hosts, folder, speak } = await open(t)
  const note = join(folder, 'family.json')
  const family = async (): Promise<number[]> => {
    rmSync(note, { force: true })
    rmSync(join(folder, 'grandchild.pid'), { force: true })
    await collect(speak('family'))
    const pids = JSON.parse(readFileSync(note, 'utf8')) as number[]
    assert.equal(pids.filter(isAlive).length, 3)
    return pids
  }
  const ends = (pids: readonly number[], what: string) => until(() => !pids.some(isAlive), `the family of ${what} ends`)

  const unloaded = await family()
  await pool.unload(engine)
  await ends(unloaded, 'an unloaded sidecar')

  const crashed = await family()
  await failsWith(speak('crash'), 'ENGINE_CRASHED')
  await ends(crashed, 'a crashed sidecar')

  const orphaned = await family()
  process.kill(hosts.at(-1)!, 'SIGKILL')
  await ends(orphaned, 'a killed host')
  assert.ok(existsSync(note))
})
