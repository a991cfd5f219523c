// A bad network between the studio and a borrowed machine: under all faults the work is done once and the bytes are the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openNetwork } from '../support/chaos/cut.ts'
import { cleanSoFar, digestOf, slowly, startOn, tasksOf, timesBegun } from '../support/world/tasks.ts'
import { eventually, sharedWorld } from '../support/world/world.ts'

const CUTS = 20
const LONG_TEXT = 'The link may break wherever it likes. '.repeat(40)

const open = sharedWorld({ remote: true })

test('a link is cut 20 times, another one goes silent: no work is done twice and all bytes are equal', async (t) => {
  const world = await open()
  const earlier = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
  const studio = (await world.get('/workers')).json().endpoint
  const [cable, fog] = [await openNetwork(t, studio), await openNetwork(t, studio)]
  const [cut, silent] = await Promise.all([
    world.machine('cut', {}, { endpoint: cable.address }),
    world.machine('silent', {}, { endpoint: fog.address }),
  ])
  await Promise.all([world.approve(cut), world.approve(silent)])
  const speak = (key: string) =>
    world.send('POST', '/v1/audio/speech', { input: LONG_TEXT, model: 'tone', response_format: 'pcm' }, { 'idempotency-key': key })

  await world.post('/workers/target', { target: cut.workerId })
  const uncut = await world.task({ engine: 'tone', params: slowly(1) })
  const uncutSpeech = await speak('uncut')
  assert.equal(uncutSpeech.status, 200)

  cable.pace(150_000) // so that the stream is still in transit while the link breaks repeatedly
  const long = await startOn(world, cut.workerId, { params: slowly(29_000) })
  const pending = speak('cut')
  const quiet = await startOn(world, silent.workerId, { params: slowly(17_500) })
  assert.equal(quiet.workerId, silent.workerId)

  const silence = async () => {
    fog.stall()
    // Ends within the grace period of 10 s that follows.
    await world.studio.says(new RegExp(`"workerId":"${silent.workerId}".*The machine sent nothing for 15 s`))
    fog.resume()
  }
  const cuts = async () => {
    await clock.sleep(14_000) // the grace period equals the time worked, and a busy machine needs time to reconnect
    let from = 0 // the log offset of the newest connection
    for (let count = 0; count < CUTS; count++) {
      // Every fifth cut happens during the handshake, the others during the transfer.
      if (count % 5 === 4) await eventually(() => cable.open() > 0)
      else {
        await world.studio.says(new RegExp(`"workerId":"${cut.workerId}".*a machine is connected`), { from })
        await clock.sleep(random.unit() * 500)
      }
      from = world.studio.output().length
      assert.equal(cable.cut(), 1)
    }
    cable.pace(Number.POSITIVE_INFINITY)
  }
  await Promise.all([silence(), cuts()])

  const reply = await pending
  assert.equal(reply.status, 200)
  assert.equal(reply.body.length, uncutSpeech.body.length)
  assert.ok((await speak('cut')).body.equals(reply.body), 'the audio over the broken link equals the stored result')
  for (const { id, reply } of [long, quiet]) {
    const ended = await reply
    assert.equal(ended.status, 200, ended.body.toString())
    assert.equal(digestOf(ended), digestOf(uncut), `task ${id}`)
  }
  const own = (await tasksOf(world)).filter(({ task_id }) => !earlier.has(task_id))
  for (const { task_id, attempts } of own) {
    assert.equal(attempts.length, 1, `task ${task_id} was offered once`)
    assert.equal(timesBegun(cut.program, task_id) + timesBegun(silent.program, task_id), 1, `task ${task_id} was executed once`)
  }
  const { tasks } = await cleanSoFar(world)
  const digests = tasks.filter(({ id }) => own.some(({ task_id }) => task_id === id)).map(({ result_digest }) => result_digest)
  assert.equal(new Set(digests).size, 2, 'one digest for the slow tasks and one for the speech')
  await Promise.all([world.remove(cut), world.remove(silent)])
})
