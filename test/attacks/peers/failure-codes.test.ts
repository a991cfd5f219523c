// A lent machine that ends every attempt at once with a failure code of its choice: another machine does the work, the machine is paused, and
// the studio's answers are its own.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentService, ServedRun } from '#shared/link/rpc.ts'
import { FAILURES, Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { ATTEMPT_CODES, isDecline, RUN_CODES } from '#shared/protocol/fields/peer-codes.ts'
import { wireCapability } from '#test/support/builders/wire.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { scriptedMachine, scriptedService } from '#test/support/peers/scripted-agent.ts'
import { cleanHistory } from '#test/support/world/tasks.ts'
import { sharedWorld, type World } from '#test/support/world/world.ts'

const CODES = Object.keys(FAILURES) as FailureCode[]
/** More than a good machine takes at once, so that the bad one gets its share, and enough to pause it. */
const AT_ONCE = 5
/** For one code in one way. After a decline a machine is left alone for a while. */
const PATIENCE_MS = 60_000
const LEFT_ALONE_LOOK_MS = 250
const SAMPLES = 4
const WAYS = ['failed', 'failed early', 'declined', 'refused'] as const
type Way = (typeof WAYS)[number]
/** The codes that the report tried, and one of each kind; all of them with `--long`. */
const SOME: readonly FailureCode[] = [
  'OTHER_LOCAL_USER',
  'TOO_MANY_WRONG_PINS',
  'TASK_DEADLINE_EXCEEDED',
  'PROGRAM_MISSING',
  'CANCELLED',
  'SERVER_RESTART',
  'STALE_EPOCH',
  'INVALID_TASK_PARAMS',
  'RESULT_TOO_LARGE',
  'MODEL_NOT_DOWNLOADED',
  'WORKER_AT_CAPACITY',
  'ENGINE_CRASHED',
  'UNKNOWN',
]

function answerWell(call: ServedRun): void {
  const { segments } = JSON.parse(call.header.params_json.toString()) as { segments: unknown[] }
  const payload = Buffer.alloc(2 * SAMPLES * segments.length)
  const result = { sample_rate: 16_000, parts: segments.map(() => ({ samples: SAMPLES })), voice: 'tone', notices: [] }
  call.write({
    events: [
      { seq: 1, fact: 'accepted', accepted: {} },
      { seq: 2, fact: 'running', running: { machine: '' } },
      ...segments.map((_segment, part) => ({
        seq: 3 + part,
        fact: 'output' as const,
        output: { part, offset: 2 * SAMPLES * part, payload: payload.subarray(2 * SAMPLES * part, 2 * SAMPLES * (part + 1)) },
      })),
      {
        seq: 3 + segments.length,
        fact: 'completed',
        completed: {
          result_json: Buffer.from(JSON.stringify(result)),
          sha256: createHash('sha256').update(payload).digest(),
          size: payload.length,
        },
      },
    ],
  })
}

function answerBadly(call: ServedRun, way: Way, code: string): void {
  const said = { code, message: `It says ${code}.` }
  if (way === 'refused') throw new Failure(code as FailureCode, said.message)
  if (way === 'declined') return void call.write({ events: [{ seq: 1, fact: 'declined', declined: said }] })
  if (way === 'failed early') return void call.write({ events: [{ seq: 1, fact: 'failed', failed: said }] })
  call.write({
    events: [
      { seq: 1, fact: 'accepted', accepted: {} },
      { seq: 2, fact: 'running', running: { machine: '' } },
      { seq: 3, fact: 'failed', failed: said },
    ],
  })
}

const untilOver = (call: ServedRun): Promise<void> =>
  new Promise((resolve) => (call.signal.aborted ? resolve() : call.signal.addEventListener('abort', () => resolve(), { once: true })))
const machine = (act: (call: ServedRun) => void, permits: number): AgentService =>
  scriptedService(
    {
      async run(call) {
        act(call)
        await untilOver(call)
      },
    },
    { capabilities: [wireCapability({ permits })] },
  )

type Attempt = { readonly worker_id: string; readonly state: string; readonly error: { readonly code: FailureCode } | null }
const breakersOf = async (world: World, workerId: string): Promise<unknown[]> =>
  (await world.get('/workers')).json().workers.find(({ id }: { id: string }) => id === workerId).breakers

/** Several tasks at once. Returns their attempts; each task must succeed. */
async function round(world: World, what: string): Promise<Attempt[]> {
  const body = { engine: 'tone', params: { segments: [{ text: 'Once more.' }] } }
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => world.task(body)))
  for (const { status, body: answer } of replies) assert.equal(status, 200, `${what}: ${answer}`)
  return replies.flatMap((reply) => reply.json().attempts as Attempt[])
}

/** Codes that the studio stores for one that a machine may not say, or not alone. */
const OWN: readonly FailureCode[] = ['WORKER_FAILED', 'WORKER_REJECTED', 'WORKER_DISCONNECTED', 'INVALID_RESULT']
const isSaid = (code: FailureCode): boolean => ATTEMPT_CODES.some((each) => each === code)
/** True if a call that ends with this code ends the attempt; after another one the next snapshots decide. */
const endsAtOnce = (code: FailureCode): boolean =>
  !RUN_CODES.includes(code) || code === 'STALE_EPOCH' || ['INVALID_TASK_PARAMS', 'MODEL_REF_REJECTED', 'WORKER_FAILED'].includes(code)

const open = sharedWorld({ remote: true, withoutAgent: true, impatient: true })

test('no failure code of a machine keeps a task from the other one, and those that blame it pause it', { timeout: 400_000 }, async (t) => {
  const world = await open()
  await world.post('/workers/target', { target: 'auto' })
  let current: { way: Way; code: FailureCode } = { way: 'failed', code: 'WORKER_FAILED' }
  const bad = await scriptedMachine(
    t,
    world,
    machine((call) => answerBadly(call, current.way, current.code), 64),
    'bad',
  )
  const good = await scriptedMachine(t, world, machine(answerWell, 1), 'good')
  for (const code of isLongRun ? CODES : SOME)
    for (const way of WAYS) {
      if (way === 'refused' && !endsAtOnce(code) && code !== 'UNKNOWN' && !isLongRun) continue
      current = { way, code }
      const what = `${code} ${way}`
      // A machine that says what is wrong with itself is not blamed. That a request is wrong is disproved by the other machine.
      const isBlamed = way === 'refused' ? endsAtOnce(code) : !isDecline(code)
      // After a decline a machine is left alone for a while; until then the other one does everything.
      const attempts: Attempt[] = []
      const isDone = async () =>
        attempts.some(({ worker_id }) => worker_id === bad) && (!isBlamed || (await breakersOf(world, bad)).length > 0)
      const until = performance.now() + PATIENCE_MS
      while (performance.now() < until && !(await isDone())) {
        const made = await round(world, what)
        attempts.push(...made)
        if (!made.some(({ worker_id }) => worker_id === bad)) await delay(LEFT_ALONE_LOOK_MS)
      }
      const ofBad = attempts.filter(({ worker_id, error }) => worker_id === bad && error)
      assert.ok(await isDone(), `${what}: ${ofBad.length} of ${attempts.length} attempts were its own`)
      for (const { error } of ofBad)
        assert.ok(OWN.includes(error!.code) || (isSaid(code) && error!.code === code), `${what}: ${error!.code}`)
      assert.deepEqual(await breakersOf(world, good), [], what)
      await world.post(`/workers/${bad}/resume`)
    }
})

test('a chosen machine does not choose the status of a response', async (t) => {
  const world = await open()
  let code: FailureCode = 'WORKER_FAILED'
  const bad = await scriptedMachine(
    t,
    world,
    machine((call) => answerBadly(call, 'failed', code), 64),
    'chosen',
  )
  await world.post('/workers/target', { target: bad })
  // A machine that has no room is asked again until the deadline.
  for (code of (isLongRun ? CODES : SOME).filter((each) => !(isSaid(each) && FAILURES[each].class === 'capacity'))) {
    const reply = await world.post('/v1/audio/speech', { model: 'tone', input: 'Once more.', response_format: 'wav' })
    // It knows best whether its engine and its model are installed. Everything else is a failure of the machine.
    const isItsModel = isDecline(code) && FAILURES[code].class === 'capability'
    const allowed = isItsModel ? [FAILURES[code].http, 400] : [502, 503]
    assert.ok(allowed.includes(reply.status), `${code}: ${reply.status} ${reply.body}`)
    await world.post(`/workers/${bad}/resume`)
  }
  await cleanHistory(world)
})
