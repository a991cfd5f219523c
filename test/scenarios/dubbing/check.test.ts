// The check of a dub that the embedded tools made: faults that were planted in it are found, and no others.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fromS16 } from '#shared/audio/pcm.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { folder, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'
import { eventsOfTask, preparedDub } from './dub-client.ts'
import { type PlantedTake, plantFaults } from './planted.ts'

const world_ = sharedWorld()
const absent = ['pocketsphinx_continuous', 'espeak-ng'].find((name) => findProgram(name, process.env['PATH']) === null)
const withTools = { skip: withPrograms.skip || (absent ? `${absent} is not on this machine; ./studio setup installs it` : false) }
const RATE = 16_000
const SAID = SENTENCES.slice(4, 13)
/** The voice of the dub speaks faster, and a line that fills less than its time is spoken again. */
const LIKE_THE_DUB = 0.75
/** Seconds of one line and the pause after it. */
const SLOT = 4

async function film(): Promise<{ path: string; lines: { start: number; end: number; text: string }[] }> {
  const sounds: Buffer[] = []
  const lines: { start: number; end: number; text: string }[] = []
  for (const [at, text] of [...SAID, 'This is not in the lines.'].entries()) {
    const { pcm, seconds } = await spoken(text)
    sounds.push(pcm, Buffer.alloc(2 * RATE * SLOT - pcm.length))
    if (at < SAID.length) lines.push({ start: at * SLOT, end: at * SLOT + LIKE_THE_DUB * seconds, text })
  }
  const path = join(folder, 'nine-lines.wav')
  writeFileSync(path, recording(Buffer.concat(sounds)).get('audio')!)
  return { path, lines }
}

/** Runs of full scale at eight places, which hardly change the loudness. */
function clipped({ samples, sampleRate }: PlantedTake): PlantedTake {
  const out = samples.slice()
  for (let n = 1; n <= 8; n++) {
    const at = Math.round((n / 10) * samples.length)
    out.fill(samples[at]! < 0 ? -1 : 1, at, at + 4)
  }
  return { samples: out, sampleRate }
}
const delayed = ({ samples, sampleRate }: PlantedTake): PlantedTake => {
  const out = new Float32Array(samples.length + sampleRate)
  out.set(samples, sampleRate)
  return { samples: out, sampleRate, keepsHead: true }
}

/** Sound at the level of the spoken line, with softened peaks so that nothing is clipped. */
function like({ samples }: PlantedTake, other: Float32Array): Float32Array {
  const level = (sound: Float32Array) => Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length)
  const gain = (1.1 * level(samples)) / level(other)
  return other.map((sample) => 0.95 * Math.tanh((gain * sample) / 0.95))
}

test('planted faults are found, each in its line, and no others', withTools, async (t) => {
  const world = await world_()
  const { path, lines } = await film()
  const { id } = await preparedDub(world, path, 'talk.wav', { input_type: 'audio' })
  const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',')
  const srt = lines.map(({ start, end, text }, at) => `${at + 1}\n${stamp(start)} --> ${stamp(end)}\n${text}\n`).join('\n')
  const imported = await world.post(`/dub/import-srt/${id}`, form({ file: Buffer.from(srt) }))
  assert.equal(imported.status, 200, imported.body.toString())
  // Line 5 is not spoken.
  const segments = lines.flatMap((line, at) => (at === 5 ? [] : [{ ...line, id: at, effect_preset: 'raw' }]))
  const asked = { segments, language: 'English', language_code: 'en', num_step: 4 }
  const generate = async () => {
    const reply = await world.post(`/dub/generate/${id}`, asked)
    assert.equal(reply.status, 200, reply.body.toString())
    const task = reply.json().task_id as string
    assert.equal((await eventsOfTask(world, task)).at(-1)!.type, 'done')
    return task
  }
  await generate()
  const check = async (query = '') => {
    const reply = await world.post(`/dub/qc/${id}${query}`)
    assert.equal(reply.status, 200, reply.body.toString())
    return reply.json()
  }
  const faultsIn = ({ segments: found }: { segments: { seg_id: number; faults: string[] }[] }) =>
    Object.fromEntries(found.flatMap(({ seg_id: line, faults }) => (faults.length > 0 ? [[line, faults]] : [])))
  assert.equal(await world.studio.end('SIGTERM'), 0)
  const other = fromS16((await spoken('Please call the police at once.')).pcm)
  const { stdout } = await promisify(execFile)('espeak-ng', ['-v', 'es', '--stdout', 'Buenos días a todos los señores.'], {
    encoding: 'buffer',
    maxBuffer: 2 ** 24,
  })
  const spanish = parseWav(stdout)
  await plantFaults(world.dataDir, id, 'en', {
    takes: {
      1: (take) => ({ samples: like(take, other), sampleRate: RATE }),
      2: delayed,
      3: (take) => ({ samples: like(take, spanish.samples), sampleRate: spanish.sampleRate }),
      4: clipped,
      6: ({ samples, sampleRate }) => ({ samples: samples.map((sample) => sample / 6), sampleRate }),
    },
    // The separation missed half of the original in line 7.
    vocals: (seconds) => (seconds >= 7 * SLOT && seconds < 8 * SLOT ? 0.5 : 1),
  })
  await world.restart()
  const task = await generate()
  const found = await check()
  for (const one of found.segments) t.diagnostic(JSON.stringify(one))
  assert.deepEqual(faultsIn(found), {
    1: ['words'],
    2: ['timing'],
    3: ['words'],
    4: ['clipping'],
    5: ['missing'],
    6: ['level'],
    7: ['leak'],
  })
  assert.deepEqual([found.total, found.flagged_count, found.faulty_count, found.engine], [9, 4, 7, 'pocketsphinx'])
  assert.equal(found.uncovered.length, 1)
  assert.ok(Math.abs(found.uncovered[0].start - 9 * SLOT) < 0.3, JSON.stringify(found.uncovered))
  const last = (await eventsOfTask(world, task)).at(-1)
  assert.deepEqual(last, { type: 'qc_done', event: 'qc_done', engine: 'pocketsphinx', flagged: 4, total: 9 })

  // Only what was not understood is spoken again, and the film is assembled once.
  const { repair_task_id: repair } = await check('?repair=true')
  assert.match(repair, new RegExp(`^dub_${id}_\\d+$`))
  const events = await eventsOfTask(world, repair)
  const done = events.findLast(({ type }) => type === 'done')
  assert.deepEqual(
    done,
    {
      ...{ type: 'done', flagged_count: 2, faulty_count: 5 },
      lines: [
        { seg_id: 1, takes: 2, best: 1 },
        { seg_id: 3, takes: 2, best: 1 },
      ],
    },
    JSON.stringify(events),
  )
  assert.equal(events.filter(({ type }) => type === 'assembling').length, 1)
  const repaired = await check()
  assert.deepEqual(faultsIn(repaired), { 2: ['timing'], 4: ['clipping'], 5: ['missing'], 6: ['level'], 7: ['leak'] })
  assert.equal((await check('?repair=true')).repair_task_id, null, 'no other take would help')

  const stems = (await world.get(`/dub/export-stems/${id}`)).body
  for (const name of ['vocals_dubbed_en.wav', 'background_original.wav']) assert.ok(stems.includes(name), name)

  // No recogniser here knows Spanish.
  const inSpanish = { language: 'Spanish', language_code: 'es', num_step: 4 }
  const spanishLines = segments
    .slice(0, 2)
    .map((line, at) => ({ ...line, text: ['Los niños juegan en el jardín.', 'Fue una noche muy larga.'][at] }))
  const { task_id: spanishTask } = (await world.post(`/dub/generate/${id}`, { ...inSpanish, segments: spanishLines })).json()
  assert.equal((await eventsOfTask(world, spanishTask)).at(-1)!.type, 'done')
  const refused = await world.post(`/dub/qc/${id}?lang=es`)
  assert.deepEqual([refused.status, refused.json().detail.error], [409, 'asr_model_missing'], refused.body.toString())
  assert.match(refused.json().detail.message, /knows Spanish \(es\), and this machine has none\./)
  const unknown = await check('?lang=es&words=optional')
  const made = Object.fromEntries(unknown.checks.map(({ check: name, checked }: { check: string; checked: number }) => [name, checked > 0]))
  assert.deepEqual([made['words'], made['timing'], made['voice']], [false, true, false])
  assert.equal(unknown.engine, '')
  for (const line of unknown.segments.slice(0, 2)) {
    assert.ok(
      ['timing', 'level', 'leak'].every((name) => line.checked.includes(name)),
      JSON.stringify(line),
    )
    assert.ok(!line.faults.includes('words') && !line.checked.includes('words') && line.recognized_text === '', JSON.stringify(line))
  }
  assert.match(unknown.reasons.join('\n'), /knows Spanish \(es\), and this machine has none\. Install .*models install/)
  const trackPath = async () => (await world.get(`/dub/tracks/${id}`)).json().tracks.en.path
  const before = await trackPath()
  await generate()
  assert.equal(await trackPath(), before, 'the best takes count')
})
