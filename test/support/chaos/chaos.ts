// Random histories: many tasks, many faults, one seed. All answers must still be valid at the end, the recorded history must satisfy every
// rule, and every fault must have happened, with proof.
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import type { TestContext } from 'node:test'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type Seeded, seeded } from '../doubles/seeded.ts'
import { tasksOf } from '../world/tasks.ts'
import { eventually } from '../world/world.ts'
import { readHistory, violations } from './history.ts'
import { longText, noisyClient, wrongKeys } from './noise.ts'
import { type ChaosWorld, type Member, openChaosWorld } from './world.ts'

type Answer = { readonly key: string; readonly id: string; readonly state: string; readonly digest: string | null }
export type Plan = {
  readonly seed: number
  /** At least this many; more until every fault has happened. */
  readonly tasks: number
  /** Scale of the task duration: 1 means half a second on average. */
  readonly slowness: number
  readonly lanes: number
  /** Faults to inject, each at least once; then at random while tasks are left. */
  readonly faults: readonly Fault[]
  /** The longest time for which something stays frozen, silent or full. */
  readonly longestMs: number
  readonly pauseMs: number
  /** Half-open links are made by the kernel if that is permitted. */
  readonly drops?: boolean
  /** Called for each fault. */
  readonly say?: (what: string) => void
}
const KINDS = 8
const CANCELLED = 0.04

/** The kinds of tasks; equal kinds must give equal bytes, on any machine and after any number of restarts. */
const paramsOf = (kind: number, slowness: number) => ({
  segments: [{ text: `kind ${kind} `.repeat(4 + kind), seed: kind }],
  ms_per_part: 200 + kind * 400,
  fault: { kind: 'slow', msPerChar: kind * 1.5 * slowness },
})

export const FAULTS = {
  kill: async (world: ChaosWorld, { chance, victim }: Aim) => {
    const proof = await world.kill(victim)
    await clock.sleep(chance.between(0, 1_500))
    victim.start()
    return proof
  },
  stop: async (world, { chance, victim }) => {
    const proof = await world.stop(victim)
    await clock.sleep(chance.between(0, 1_500))
    victim.start()
    return proof
  },
  freeze: (world, { victim, ms }) => world.freeze(victim, ms),
  cut: (world, { victim }) => world.cut(victim),
  'half-open': (world, { victim, ms }) => world.halfOpen(victim, ms),
  'engine host': (world, { victim }) => world.killHost(victim.program),
  'local agent': (world) => world.killLocalAgent(),
  'stop the studio': (world) => world.restartStudio('SIGTERM'),
  'kill the studio': (world) => world.restartStudio('SIGKILL'),
  'lying disk': (world) => world.lie(2),
  'refused rows': (world) => world.refuseRows(2),
  'full disk': (world, { ms }) => world.fillDisk(world.dataDir, Math.min(ms, 3_000)),
  'full lent disk': (world, { victim, ms }) => world.fillDisk(victim.dataDir, ms),
  'clock jump': (world) => world.jump(30),
  withdraw: (world, { victim }) => world.withdraw(victim, 500),
  revoke: (world, { victim }) => world.revoke(victim),
  drain: (world, { victim }) => world.drain(victim, 500),
  'prepare authority': (world) => world.rotate('prepare'),
  'activate authority': (world) => world.rotate('activate'),
  'noisy client': ({ world }, { ms }) => noisyClient(world, ms),
  'wrong keys': ({ world }, { ms }) => wrongKeys(world, ms),
  'long text': ({ world }, { chance }) => longText(world, () => chance.unit()),
} as const satisfies Record<string, (world: ChaosWorld, aim: Aim) => Promise<string> | string>
export type Fault = keyof typeof FAULTS
type Aim = { readonly victim: Member; readonly chance: Seeded; readonly ms: number }

/** Runs one history and verifies it. Returns a summary for people. */
export async function chaos(t: TestContext, plan: Plan): Promise<string> {
  // Two generators, so that the order of the faults does not depend on the order of the answers.
  const [chance, waits] = [seeded(plan.seed), seeded(plan.seed + 1)]
  const rig = await openChaosWorld(t, { jumps: plan.faults.includes('clock jump'), drops: plan.drops === true })
  const { world, members } = rig
  const answers: Answer[] = []
  const happened = new Map<Fault, number>()
  const due = [...plan.faults]
  let next = 0
  let isOver = false
  t.after(() => {
    isOver = true // also after a failure: the callers stop waiting for answers
  })

  /** Repeats the request until there is an answer; a known task is requested with the same key. */
  async function settle(index: number): Promise<void> {
    const key = `chaos-${plan.seed}-${index}`
    const body = {
      engine: 'tone',
      idempotency_key: key,
      deadline_seconds: 3_600,
      priority: index % 3 === 0 ? 0 : 1,
      params: paramsOf(index % KINDS, plan.slowness),
    }
    while (!isOver) {
      const reply = await world.send('POST', '/workers/tasks', body).catch(() => null)
      const task = reply?.status === 200 ? reply.json() : reply?.json().detail
      if (typeof task?.task_id === 'string') {
        const digest = task.result_ref ? basename(task.result_ref) : null
        answers.push({ key, id: task.task_id, state: task.state, digest })
        return
      }
      if (reply?.status === 504) return void answers.push({ key, id: '', state: 'timeout', digest: null })
      // A batch with a row that was refused is undone, and the requests in it have failed; they may be sent again.
      const isUndone =
        reply?.status === 500 && /could not store a row|INTERNAL/.test(String(reply.body)) && plan.faults.includes('refused rows')
      assert.ok(reply === null || isUndone || [409, 429, 503, 507].includes(reply.status), `${reply?.status} ${reply?.body}`)
      await clock.sleep(100 + waits.unit() * 200)
    }
  }
  const lane = async () => {
    // Not `due`: it lacks the fault that is being injected, which may have nothing to hit and come again.
    while (!isOver && (next < plan.tasks || happened.size < plan.faults.length)) await settle(next++)
  }
  const cancelling = async () => {
    while (!isOver) {
      await clock.sleep(300)
      const tasks = (await tasksOf(world).catch(() => null)) ?? [] // a stopping studio has no list
      for (const { task_id, state } of tasks)
        if (state === 'running' && waits.unit() < CANCELLED) await world.send('POST', `/workers/tasks/${task_id}/cancel`).catch(() => null)
    }
  }
  const faults = async () => {
    while (due.length > 0 || next < plan.tasks) {
      await clock.sleep(plan.pauseMs * chance.between(0.5, 1.5))
      const name = due.shift() ?? chance.pick(plan.faults)
      // An idle machine proves nothing about faults in its links or hosts; the next attempt uses another one.
      const aim = { victim: chance.pick(members), chance, ms: chance.between(500, plan.longestMs) }
      const proof = await FAULTS[name](rig, aim)
      plan.say?.(`${answers.length}/${plan.tasks} answered; ${name}: ${proof || 'nothing to hit'}`)
      if (proof !== '') happened.set(name, (happened.get(name) ?? 0) + 1)
      else if (!happened.has(name)) due.push(name)
    }
  }

  const lanes = Promise.all(Array.from({ length: plan.lanes }, lane))
  const side = [cancelling(), faults()]
  await Promise.race([lanes, side[1]!.then(() => lanes)]).catch((error) => {
    plan.say?.(`last output of the studio: ${world.studio.output().slice(-3_000)}`)
    throw error
  })
  isOver = true
  await Promise.all(side)

  assert.equal(answers.length, next)
  // Work of clients that have left, such as that of a noisy one, ends too; on a busy machine a moment later.
  await eventually(async () => {
    const lists = await Promise.all(
      ['waiting', 'running'].map((status) => world.get(`/workers/tasks?limit=1&always=true&status=${status}`)),
    )
    return lists.every((list) => list.status === 200 && list.json().tasks.length === 0)
  })
  assert.equal(await world.studio.end(), 0, 'the studio stops cleanly')
  const history = readHistory(rig.dataDir)
  assert.deepEqual(violations(history), [])
  const rows = new Map(history.tasks.map((task) => [task.id, task]))
  const byKind = new Map<number, string>()
  for (const { key, id, state, digest } of answers) {
    if (id === '') continue
    const row = rows.get(id)
    assert.ok(row, `task ${id} was answered and is gone`)
    assert.equal(row.phase, { completed: 'succeeded', failed: 'failed', timeout: 'timed_out', cancelled: 'cancelled' }[state], `task ${id}`)
    if (digest === null) continue
    assert.equal(row.result_digest, digest, `task ${id} was answered with another result`)
    const kind = Number(key.split('-').at(-1)) % KINDS
    assert.equal(byKind.get(kind) ?? digest, digest, `two tasks of kind ${kind} made different bytes`)
    byKind.set(kind, digest)
  }
  for (const name of plan.faults) assert.ok(happened.has(name), `the fault '${name}' never happened`)
  const count = (wanted: string) => answers.filter(({ state }) => state === wanted).length
  const again = history.attempts.length - history.tasks.length
  const faultList = [...happened].map(([name, times]) => `${name} ${times}`).join(', ')
  return (
    `seed ${plan.seed}: ${next} tasks: ${count('completed')} completed, ${count('failed')} failed, ${count('cancelled')} cancelled, ` +
    `${count('timeout')} timed out, ${again} attempts more than tasks; ${faultList}`
  )
}
