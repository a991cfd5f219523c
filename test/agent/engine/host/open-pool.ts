// A real pool with real engine hosts for a test, and helpers to observe it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { createEnginePool, type EnginePool, type PoolDeps, type PoolEvent } from '#agent/engine/host/pool.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'

// An agent passes its compile cache on as well. Without it a host takes three times the processor time to start.
const cache = process.env['NODE_COMPILE_CACHE']
const CACHE: Readonly<Record<string, string>> = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }

export type OpenPool = {
  readonly pool: EnginePool
  /** The process ids of every host that was started, oldest first. */
  readonly hosts: number[]
  /** The ports of their inspectors. */
  readonly inspectors: number[]
  readonly tts: (
    params: object,
    more?: { engine?: string; model?: string; operation?: string; signal?: AbortSignal },
  ) => AsyncIterableIterator<PoolEvent>
}

/** When the test ends, the pool is stopped and must have left no process. */
export async function openPool(t: TestContext, more: Partial<PoolDeps> = {}, onStart = (_pid: number): void => {}): Promise<OpenPool> {
  const hosts: number[] = []
  const inspectors: number[] = []
  const nothing = () => {}
  const info = (fields: object, message: string) => {
    if (message === 'engine host accepts an inspector') inspectors.push((fields as { port: number }).port)
    if (message !== 'engine host started') return
    const { pid } = fields as { pid: number }
    hosts.push(pid)
    onStart(pid)
  }
  const log: Log = { debug: nothing, info, warn: nothing, error: nothing, child: () => log }
  const pool = createEnginePool({
    clock: systemClock,
    random: systemRandom,
    log,
    development: true,
    ...more,
    environment: { ...CACHE, ...more.environment },
  })
  await pool.start()
  t.after(async () => {
    await pool.stop()
    assert.deepEqual(hosts.filter(isAlive), [], 'a stopped pool leaves no process')
  })
  const tts: OpenPool['tts'] = (params, { engine = 'tone', model = '', operation = 'tts', signal = new AbortController().signal } = {}) =>
    pool.run({ id: 'test', engine, model, operation, params, signal })
  return { pool, hosts, inspectors, tts }
}

export type Collected = {
  readonly events: PoolEvent[]
  readonly parts: Buffer[]
  readonly result: { sample_rate: number; parts: { samples: number }[]; voice: string; notices: string[] }
}

export async function collect(run: AsyncIterable<PoolEvent>): Promise<Collected> {
  const events: PoolEvent[] = []
  for await (const event of run) events.push(event)
  const result = events.findLast((event) => event.kind === 'result')!.result as Collected['result']
  const parts = result.parts.map((_, part) =>
    Buffer.concat(events.flatMap((e) => (e.kind === 'audio' && e.part === part ? [e.bytes] : []))),
  )
  return { events, parts, result }
}

export const nextOf = async (run: AsyncIterableIterator<PoolEvent>, kind: PoolEvent['kind']): Promise<PoolEvent> => {
  for (;;) {
    const { value, done } = await run.next()
    assert.ok(!done, `the run ended before an event of kind ${kind}`)
    if (value.kind === kind) return value
  }
}

export const failsWith = async (run: AsyncIterable<PoolEvent>, code: Failure['code']): Promise<Failure> => {
  try {
    for await (const event of run) void event
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, code, error.message)
    return error
  }
  assert.fail(`expected ${code}, but the run succeeded`)
}

/** A zombie process counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** Waits until `condition` holds; how long is measured and returned. */
export async function until(condition: () => boolean, what: string, limitMs = 20_000, clock: Clock = systemClock): Promise<number> {
  const from = clock.mono()
  while (!condition()) {
    assert.ok(clock.mono() - from < limitMs, `${what}: not within ${limitMs} ms`)
    await clock.sleep(20)
  }
  return clock.mono() - from
}

export const oneSegment = (text: string, more: object = {}) => ({ segments: [{ text }], ...more })

/** Inputs in the form that the pool expects. */
export const asGiven = (inputs: ReadonlyMap<string, Uint8Array>) => [...inputs].map(([name, bytes]) => ({ name, bytes, file: null }))
