// The speakers of a film whose sound does not fit into a task: found in parts, joined by their voices, and killed at every write of it.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { test } from 'node:test'
import { ended } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { all, names, open, recognised } from '../world.ts'

test('a film whose sound does not fit into a task is identified in parts, and its speakers are joined by their voices', async (t) => {
  const seconds = 2_400
  const voices = [0, 1].map((speaker) => ({ speaker, seconds: 9, vector: speaker === 0 ? [1, 0] : [0, 1] }))
  const parts: unknown[] = []
  const diarise = (request: unknown) => {
    parts.push(request)
    const isFirst = parts.length === 1
    // The second part hears the other speaker first.
    return {
      segments: [
        { start: 0, end: 10, speaker: 0 },
        { start: 10, end: 30, speaker: 1 },
      ],
      voices: isFirst ? voices : voices.map(({ speaker, ...rest }) => ({ ...rest, speaker: 1 - speaker })),
    }
  }
  const recognisePart = async (part: number) => (part === 0 || part === 40 ? recognised() : { ...recognised(), segments: [] })
  const change = { turns: [], recognisePart, diarise, seconds, rate: 1_000 }
  const folder = temporaryFolder(t)
  const { store, events, calls } = await open(t, folder, { change })
  const found = await all(events())
  assert.deepEqual(names(found).filter((name) => name === 'warning').length, 1, JSON.stringify(found.slice(-4)))
  assert.deepEqual(
    parts.map((request) => (request as { params: unknown }).params),
    [
      { num_speakers: null, voices: true },
      { num_speakers: null, voices: true },
    ],
  )
  assert.ok(parts.every((request) => (request as { seconds: number }).seconds <= 2_097))
  assert.equal(calls.filter((name) => name === 'diarize').length, 2)
  const speakers = store.segments.list('one').map(({ startUs, speakerId }) => [Math.round(startUs / 60e6), speakerId])
  assert.deepEqual(speakers, [
    [0, 'Speaker 1'],
    [0, 'Speaker 2'],
    [20, 'Speaker 2'],
    [20, 'Speaker 1'],
  ])
})

test('a kill while the speakers of a long film are found in parts and joined changes none of them', async (t) => {
  const seconds = 2_430
  let writesBefore: number | null = null
  let writes = () => 0
  const diarise = (request: unknown) => {
    writesBefore ??= writes()
    // The second part numbers the voices in the other way, and hears the other one first.
    const isFirst = (request as { seconds: number }).seconds > 1_215
    const turns = [0, 1].map((speaker) => ({ start: 10 * speaker, end: 10 + 20 * speaker, speaker }))
    return {
      segments: turns,
      voices: [0, 1].map((speaker) => ({ speaker, seconds: 9, vector: (speaker === 0) === isFirst ? [1, 0] : [0.1, 1] })),
    }
  }
  // Too short for reference clips, which would take most of the time of this test.
  const short = [1, 12].map((start) => ({ start, end: start + 2, text: 'one two' }))
  const recognisePart = async (part: number) => ({ ...recognised(), segments: part === 0 || part === 41 ? short : [] })
  const change = { turns: [], recognisePart, diarise, seconds, rate: 1_000 }
  const resultOf = async ({ store, world }: Awaited<ReturnType<typeof open>>, id: string) => {
    assert.equal((await ended(world, id)).record.job.status, 'done')
    return { lines: store.segments.list('one'), options: store.dubs.find('one')!.options }
  }
  const plain = await open(t, temporaryFolder(t), { change })
  writes = plain.world.writes
  const whole = await resultOf(plain, await plain.transcriptions.start('one', null, true))
  assert.deepEqual(
    whole.lines.map(({ speakerId }) => speakerId),
    ['Speaker 1', 'Speaker 2', 'Speaker 2', 'Speaker 1'],
  )

  // Everything before the first part in which speakers are found happens once for all kills.
  const before = temporaryFolder(t)
  const first = await open(t, before, { killAt: { write: writesBefore! - 1, isWritten: true }, change })
  const id = await first.transcriptions.start('one', null, true)
  await first.world.killed
  first.world.close()
  for (let write = 2, isOver = false; !isOver; write++) {
    const folder = temporaryFolder(t)
    cpSync(before, folder, { recursive: true })
    const second = await open(t, folder, { killAt: { write, isWritten: write % 2 === 0 }, change })
    second.world.jobs.start()
    isOver = await Promise.race([second.world.killed.then(() => false), ended(second.world, id).then(() => true)])
    second.world.kill()
    second.world.close()
    const third = await open(t, folder, { change })
    third.world.jobs.start()
    assert.deepEqual(await resultOf(third, id), whole, `write ${write}`)
    const found = [...second.calls, ...third.calls].filter((call) => call === 'diarize').length
    assert.ok(found === 2 || (found === 3 && !isOver), `write ${write}: ${found} parts`)
    await third.world.jobs.stop()
  }
})
