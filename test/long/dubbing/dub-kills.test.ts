// A film dubbed with the programs that need no download, while studio, agent, engine process and ffmpeg are killed at random: lines, voice track and
// film are those of an undisturbed run. VOICE_STUDIO_LONG_DUB_SECONDS sets the length of the film, VOICE_STUDIO_LONG_KILLS the kills.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { folder, make } from '#test/control-plane/media/film/corpus.ts'
import { type DubEvent, eventsOfTask, uploadFilm } from '#test/scenarios/dubbing/dub-client.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { chosenSeed, seeded } from '#test/support/doubles/seeded.ts'
import { hostsOf, isAlive } from '#test/support/world/tasks.ts'
import { eventually, openWorld, type World } from '#test/support/world/world.ts'

const SECONDS = Number(process.env['VOICE_STUDIO_LONG_DUB_SECONDS'] ?? 60)
const KILLS = Number(process.env['VOICE_STUDIO_LONG_KILLS'] ?? 20)
const NEEDED = ['ffmpeg', 'ffprobe', 'pocketsphinx_continuous', 'apertium', 'espeak-ng']
const missing = NEEDED.filter((name) => !findProgram(name, process.env['PATH']))
const VICTIMS = ['studio', 'agent', 'host', 'ffmpeg'] as const
const ID = 'killed'
const RATE = 16_000
const LOOK_MS = 3
/** The film needs no ffmpeg most of the time. */
const WAIT_FOR_FFMPEG_MS = 20_000
const MAX_ATTEMPTS = 100
const MAX_LATE = 5
const RETRY_MS = 250

async function film(): Promise<string> {
  const sounds: Buffer[] = [Buffer.alloc(RATE)]
  for (let at = 0, bytes = 0; bytes < SECONDS * RATE * 2; at++) {
    const { pcm } = await spoken(SENTENCES[at % SENTENCES.length]!)
    sounds.push(pcm, Buffer.alloc(RATE))
    bytes += pcm.length + RATE
  }
  const wav = join(folder, 'killed.wav')
  writeFileSync(wav, recording(Buffer.concat(sounds)).get('audio')!)
  const path = join(folder, 'killed.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25']
  await make([...picture, '-i', wav, '-shortest', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path])
  return path
}

type Made = {
  readonly lines: unknown
  readonly track: string
  readonly streams: readonly string[]
  readonly scenes: unknown
  readonly film: string
}
/** One pass; finds what earlier ones have made. Throws when something was interrupted. */
async function pass(world: World, path: string): Promise<Made> {
  const stored = async () => {
    const row = ((await world.get('/dub/history')).json() as { id: string; job_data: string }[]).find(({ id }) => id === ID)
    return row ? JSON.parse(row.job_data) : null
  }
  const ended = (events: readonly DubEvent[], type: string) => assert.equal(events.at(-1)?.type, type, JSON.stringify(events.at(-1)))
  const active = (await world.get('/jobs?status=active')).json() as { id: string }[]
  for (const { id } of active) await eventsOfTask(world, id)
  if (!(await stored())?.audio_path) {
    const reply = await uploadFilm(world, path, 'killed.mp4', { job_id: ID })
    assert.equal(reply.status, 202, reply.body.toString())
    ended(await eventsOfTask(world, reply.json().task_id), 'ready')
  }
  if (!(await stored()).segments) {
    const events = (await world.get(`/dub/transcribe-stream/${ID}`)).body.toString()
    assert.match(events, /event: final/, events.slice(-500))
    assert.doesNotMatch(events, /"error":"/)
  }
  const { segments: lines } = (await stored()) as { segments: { id: string; start: number; end: number; text: string }[] }
  const asked = { segments: lines.map(({ id, text }) => ({ id: String(id), text })), source_lang: 'en', target_lang: 'es' }
  const answer = await world.post('/dub/translate', asked)
  assert.equal(answer.status, 200, answer.body.toString())
  const { translated } = answer.json() as { translated: { id: string; text: string; error?: string }[] }
  const failed = translated.find(({ error }) => error !== undefined)
  assert.equal(failed, undefined, JSON.stringify(failed))
  const texts = new Map(translated.map(({ id, text }) => [id, text]))
  const segments = lines.map(({ id, start, end }) => ({ id, start, end, text: texts.get(String(id))! }))
  const reply = await world.post(`/dub/generate/${ID}`, { segments, language: 'Spanish', language_code: 'es' })
  assert.equal(reply.status, 200, reply.body.toString())
  const events = await eventsOfTask(world, reply.json().task_id)
  ended(events, 'done')
  const unspoken = events.filter(({ type }) => type === 'error')
  assert.deepEqual(unspoken, [])
  const exported = await world.get(`/dub/download/${ID}?default_track=es`)
  assert.equal(exported.status, 200, exported.body.toString().slice(0, 500))
  const track = (await world.get(`/dub/tracks/${ID}`)).json().tracks.es.path
  const file = join(folder, 'exported.mp4')
  writeFileSync(file, exported.body)
  const hashes = execFileSync(findProgram('ffmpeg', process.env['PATH'])!, [
    '-v',
    'error',
    '-i',
    file,
    '-map',
    '0',
    '-c',
    'copy',
    '-f',
    'streamhash',
    '-',
  ])
  return {
    lines: segments.map(({ start, end, text }) => [start, end, text]),
    track: (await openBlocks(track)).digest,
    streams: hashes.toString().trim().split('\n'),
    scenes: (await stored()).scene_cuts,
    film: createHash('sha256').update(exported.body).digest('hex'),
  }
}

/** Children and their children. */
function programsBelow(pid: number): { pid: number; name: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, comm = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
        return [{ pid: Number(name), name: comm, parent: Number(rest.split(' ')[1]) }]
      } catch {
        return []
      }
    })
  const found = new Set([pid])
  for (let size = 0; size !== found.size; ) {
    size = found.size
    for (const one of all) if (found.has(one.parent)) found.add(one.pid)
  }
  return all.filter((one) => one.pid !== pid && found.has(one.pid))
}

const localAgent = (world: World) =>
  world.studio.lines().findLast(({ msg }) => msg === 'the local agent was started')?.['pid'] as number | undefined

async function forget(world: World): Promise<void> {
  for (const { id } of (await world.get('/jobs?status=active')).json() as { id: string }[]) await world.post(`/tasks/cancel/${id}`)
  await world.delete(`/dub/history/${ID}`)
  const files = join(world.dataDir, 'dub_store', 'files')
  for (const name of readdirSync(files)) rmSync(join(files, name), { recursive: true, force: true })
}

const skip = missing.length > 0 ? `${missing.join(', ')} not on PATH` : false
test(`a film of ${SECONDS} s and ${KILLS} kills`, { timeout: 4 * 3600_000, skip }, async (t) => {
  const seed = chosenSeed()
  t.diagnostic(`seed ${seed}`)
  const chance = seeded(seed)
  const path = await film()
  const world = await openWorld(t)
  const from = clock.mono()
  const wanted = await pass(world, path)
  const undisturbedMs = clock.mono() - from

  const kills = { studio: 0, agent: 0, host: 0, ffmpeg: 0 }
  const count = () => Object.values(kills).reduce((sum, one) => sum + one, 0)
  const over = new AbortController()
  t.after(() => over.abort())
  let failure: unknown = null
  let restarting: Promise<void> = Promise.resolve()
  async function killing(): Promise<void> {
    while (count() < KILLS) {
      // Two passes without kills have about this many pauses.
      await clock.sleep((chance.unit() * 4 * undisturbedMs) / KILLS, over.signal)
      const victim = VICTIMS[chance.below(VICTIMS.length)]!
      if (victim === 'studio') {
        restarting = world.restart('SIGKILL')
        await restarting
      } else {
        const until = clock.mono() + (victim === 'ffmpeg' ? WAIT_FOR_FFMPEG_MS : 0)
        const look = () =>
          victim === 'ffmpeg'
            ? programsBelow(world.studio.pid).find(({ name }) => name === 'ffmpeg' || name === 'ffprobe')?.pid
            : victim === 'agent'
              ? localAgent(world)
              : hostsOf(world.studio).filter(isAlive).at(-1)
        let pid = look()
        while (pid === undefined && clock.mono() < until) {
          await clock.sleep(LOOK_MS, over.signal)
          pid = look()
        }
        if (pid === undefined || !isAlive(pid)) continue
        process.kill(pid, 'SIGKILL')
      }
      kills[victim]++
    }
  }
  const killer = killing().catch((error: unknown) => {
    failure = error
  })
  const begunAt = clock.mono()
  t.after(() => t.diagnostic(JSON.stringify(kills)))
  const reasons = new Map<string, number>()
  let rounds = 0
  let attempts = 0
  /** Attempts that failed after the last kill. */
  let late = 0
  while (rounds === 0 || (count() < KILLS && failure === null)) {
    await restarting
    await eventually(() =>
      world.get('/health').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
    try {
      if (attempts === 0) await forget(world)
      attempts++
      const made = await pass(world, path)
      assert.deepEqual(made, wanted)
      rounds++
      attempts = 0
    } catch (error) {
      if (failure !== null || attempts > MAX_ATTEMPTS) throw failure ?? error
      const { message, actual } = error as Error & { actual?: unknown }
      // Another result is a defect; everything else was interrupted.
      if (typeof actual === 'object' && actual !== null && 'film' in actual) throw error
      const reason = message.trim().replaceAll(/\s+/g, ' ').slice(0, 240)
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      // What comes too late for a kill must not fail.
      if (count() >= KILLS && ++late > MAX_LATE) throw error
      // What is refused at once, because engines start, must not use up the attempts.
      await clock.sleep(RETRY_MS)
    }
  }
  over.abort()
  await killer
  assert.equal(count(), KILLS)
  const seconds = (ms: number) => (ms / 1000).toFixed(0)
  t.diagnostic(`${JSON.stringify(kills)}: ${rounds} dubs in ${seconds(clock.mono() - begunAt)} s, ${seconds(undisturbedMs)} s undisturbed`)
  for (const [reason, times] of reasons) t.diagnostic(`${times} times: ${reason}`)
})
