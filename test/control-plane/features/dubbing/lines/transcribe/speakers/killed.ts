// The identification of the speakers of a long film, killed at the writes of its parts.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { ended } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { open, recognised } from '../world.ts'

/** Kills it at each `every`th write, in turns before and after the write reached the disk. */
export async function killedSpeakers(t: TestContext, every: number): Promise<void> {
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
  for (let write = 2, isOver = false; !isOver; write += every) {
    const folder = temporaryFolder(t)
    cpSync(before, folder, { recursive: true })
    const second = await open(t, folder, { killAt: { write, isWritten: (write & 1) === 0 }, change })
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
}
