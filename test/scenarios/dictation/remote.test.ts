// `/ws/transcribe` with a borrowed machine as the target: the same texts as here, and no word is lost when the dictation has to leave it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { connect, embeddedSpeech, type LiveMessage } from './live-client.ts'

const PCM = 'pcm=1&sr=24000&model=tone'
const SAID = 'She bought some bread and milk at the store. We will meet again next Monday morning.'
const pause = (seconds: number) => Buffer.alloc(seconds * 48_000)

const open = sharedWorld({ remote: true })

test('a dictation on a borrowed machine', { timeout: 300_000 }, async (t) => {
  const world = await open()
  const network = await openNetwork(t, (await world.get('/workers')).json().endpoint)
  let box = await world.machine('box', {}, { endpoint: network.address })
  t.after(() => world.remove(box))
  await world.approve(box)
  // Approved as well, and never chosen.
  const desk = await world.machine('desk')
  t.after(() => world.remove(desk))
  await world.approve(desk)
  const speech = await embeddedSpeech(world, SAID)
  const twice = Buffer.concat([speech, pause(3.5), speech])
  const choose = async (target: string) => assert.equal((await world.post('/workers/target', { target })).status, 200)
  const idsOf = async () => new Set((await tasksOf(world)).map(({ task_id }) => task_id))
  const machinesSince = async (before: ReadonlySet<string>) =>
    new Set(
      (await tasksOf(world)).flatMap(({ task_id, attempts }) => (before.has(task_id) ? [] : attempts.map(({ worker_id }) => worker_id))),
    )
  const readies = (messages: readonly LiveMessage[]) => messages.filter(({ stage }) => stage === 'ready')
  const textsOf = (messages: readonly LiveMessage[]) =>
    messages
      .filter(({ type }) => type === 'final' || type === 'error')
      .map((each) => [each.final_kind, each.text ?? each.message, each.language])

  async function dictation() {
    const client = await connect(world, PCM)
    return {
      ...client,
      /** The final texts of all of it. */
      async end() {
        await client.send('EOF')
        await client.closed
        return textsOf(client.received)
      },
    }
  }
  /** Begins on the machine, runs `event` while words are spoken, and returns what has arrived at the end. */
  async function interrupted(event: () => Promise<unknown>) {
    const client = await dictation()
    await client.speak(speech, 8)
    await client.until(({ type }) => type === 'partial')
    await event()
    await client.speak(Buffer.concat([pause(3.5), speech]), 8)
    return { texts: await client.end(), received: client.received }
  }

  const here = await dictation()
  await here.speak(twice, 8)
  const expected = await here.end()
  assert.equal(expected.length, 3)

  await t.test('the texts are those of this machine, and every task runs there', async () => {
    const before = await idsOf()
    await choose(box.workerId)
    const { active } = (await world.get('/workers/target?op=dictation')).json()
    assert.deepEqual([active.remote, active.worker_id, active.reason], [true, box.workerId, 'chosen'])
    const client = await dictation()
    await client.speak(twice, 8)
    assert.deepEqual(await client.end(), expected)
    assert.deepEqual(await machinesSince(before), new Set([box.workerId]))
    assert.equal(readies(client.received).length, 1)
  })

  await t.test('without its consent the machine receives no more audio, and the dictation goes on here with a notice', async () => {
    let before: ReadonlySet<string> = new Set()
    let down = 0
    const { texts, received } = await interrupted(async () => {
      assert.equal((await world.delete(`/workers/${box.workerId}/consent`)).status, 200)
      before = await idsOf()
      // What was on its way at that moment has arrived.
      await eventually(() => {
        const now = network.passed().down
        const isQuiet = now === down
        down = now
        return isQuiet
      })
    })
    assert.deepEqual(texts, expected)
    assert.deepEqual(await machinesSince(before), new Set(['local']))
    // Control messages only. The audio of the rest would be more than half a megabyte.
    assert.ok(network.passed().down - down < 150_000, `${network.passed().down - down} bytes`)
    assert.match(readies(received)[1]!.notice!, /box is not approved, so this machine was used\./)
  })

  await t.test('a machine that dies costs no words', async () => {
    await world.approve(box)
    const { texts, received } = await interrupted(async () => void (await box.program.end('SIGKILL')))
    assert.deepEqual(texts, expected)
    assert.match(readies(received)[1]!.notice!, /box is offline, so this machine was used\.|box can no longer be used/)
    box = await box.restart()
    await eventually(async () => (await world.get('/workers/target?op=dictation')).json().active.remote)
  })

  await t.test('the next words go to a machine that is chosen in the middle', async () => {
    await choose('local')
    let before: ReadonlySet<string> = new Set()
    const { texts, received } = await interrupted(async () => {
      await choose(box.workerId)
      before = await idsOf()
    })
    assert.deepEqual(texts, expected)
    assert.ok((await machinesSince(before)).has(box.workerId))
    assert.deepEqual(
      readies(received).map(({ engine }) => engine),
      ['tone', 'tone'],
    )
  })

  await t.test('a machine that was never chosen received nothing', async () => {
    assert.ok(!(await machinesSince(new Set())).has(desk.workerId))
  })
})
