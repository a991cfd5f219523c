// A book with the embedded voice beside its engine called directly, and where the difference comes from.
import { cpus } from 'node:os'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { FLITE_SAMPLE_RATE } from '#agent/engine/tts/flite/synthesis.ts'
import type { startStudio } from '../peers.ts'
import { interleave, median, row, title } from '../rounds.ts'
import { cpuTimes, findStarted, scheduled } from './cpu-time.ts'
import { manuscript, render } from './render.ts'

/**
 * One chapter, and a tenth of a novel of 300,000 characters: what happens once (start, end of the last chapter, joining) counts ten times as much
 * as in the novel. STUDIO_BENCH_CHARACTERS=6000 shows how much that is.
 */
const CHARACTERS = Number(process.env['STUDIO_BENCH_CHARACTERS'] ?? 30_000)
const CHARACTERS_A_CHAPTER = 30_000
/** The first round starts processes and compiles, so it is short. */
const WARMING_CHARACTERS = 2_000
const ROUNDS = 3
const LOOK_MS = 20
/** A thread that ran for less since the last look did not work for the book. */
const WORK_MS = 2

type Look = { readonly at: number; readonly ran: number; readonly queued: number }
/** Milliseconds; the first two happen once in each book. */
type Engine = { readonly before: number; readonly after: number; readonly idle: number; readonly queued: number }

/** Records the states of a process's main thread while `work` runs. */
async function watchEngine<T>(pid: number, work: () => Promise<T>): Promise<{ readonly result: T; readonly engine: Engine }> {
  const from = performance.now()
  const looks: Look[] = []
  const look = () => void looks.push({ at: performance.now() - from, ...scheduled(pid) })
  look()
  const timer = setInterval(look, LOOK_MS)
  const result = await work().finally(() => clearInterval(timer))
  look()
  const works = looks.flatMap(({ ran }, at) => (at > 0 && ran - looks[at - 1]!.ran > WORK_MS ? [at] : []))
  const [first, last, end] = [looks[Math.max(0, (works[0] ?? 1) - 1)]!, looks[works.at(-1) ?? 0]!, looks.at(-1)!]
  const queued = last.queued - first.queued
  const idle = Math.max(0, last.at - first.at - (last.ran - first.ran) - queued)
  return { result, engine: { before: first.at, after: end.at - last.at, idle, queued } }
}

export async function measureOverhead(studio: Awaited<ReturnType<typeof startStudio>>): Promise<void> {
  title(`A book of ${CHARACTERS} characters with the embedded voice; limit: its engine called directly`)
  const engine = flite.create()
  await engine.load()
  const chapters = Math.ceil(CHARACTERS / CHARACTERS_A_CHAPTER)
  let isWarm = false
  const text = () => manuscript(isWarm ? CHARACTERS : WARMING_CHARACTERS, isWarm ? chapters : 1)
  const used: Record<'direct' | 'engine' | 'below' | 'loop' | 'threads', number[]> = {
    direct: [],
    engine: [],
    below: [],
    loop: [],
    threads: [],
  }
  const engines: Engine[] = []

  const book = async () => {
    const request = { text: text() }
    // The warm-up has started its process.
    const host = isWarm ? findStarted(studio.child.pid!, 'host/host.ts svc-engine')! : process.pid
    const before = cpuTimes(studio.child.pid!)
    const ranBefore = scheduled(host).ran
    const { result, engine } = await watchEngine(host, () => render(studio, request))
    const after = cpuTimes(studio.child.pid!)
    const minutes = result.seconds / 60
    const hostSeconds = (scheduled(host).ran - ranBefore) / 1000
    if (!isWarm) return result.ms
    engines.push(engine)
    used.engine.push(hostSeconds / minutes)
    used.below.push((after.below - before.below - hostSeconds) / minutes)
    used.loop.push((after.main - before.main) / minutes)
    used.threads.push((after.whole - after.main - before.whole + before.main) / minutes)
    return result.ms
  }
  const direct = async () => {
    const paragraphs = text().split('\n\n')
    const from = performance.now()
    const before = process.cpuUsage()
    let samples = 0
    for (const paragraph of paragraphs.filter((one) => !one.startsWith('#')))
      for await (const event of engine.run('tts', { segments: [{ text: paragraph }] }, new AbortController().signal))
        if (event.kind === 'audio') samples += event.samples.length
    const { user, system } = process.cpuUsage(before)
    if (isWarm) used.direct.push((user + system) / 1e6 / (samples / FLITE_SAMPLE_RATE / 60))
    const ms = performance.now() - from
    isWarm = true // the last of the first round
    return ms
  }
  const times = await interleave(ROUNDS, { book, direct })
  row('until the file is complete', times.book, times.direct, 'ms ', 'goal 1.10')
  const shown = (label: string, of: keyof Engine) =>
    row(
      `    ${label}`,
      engines.map((each) => each[of]),
      times.direct,
      'ms ',
      '',
    )
  shown('before the first work of its engine', 'before')
  shown('after the last work of its engine', 'after')
  shown('its engine has no work between', 'idle')
  shown('its engine has work and no processor', 'queued')
  row('processor time for a minute: engine', used.engine, used.direct, 's  ', '')
  row('    agent, ffmpeg', used.below, used.direct, 's  ', '')
  row('    media threads: limiter, mark, MP3, meters', used.threads, used.direct, 's  ', '')
  row('    the event loop of the studio', used.loop, used.direct, 's  ', '')
  const all = (['engine', 'below', 'threads', 'loop'] as const).reduce((sum, name) => sum + median(used[name]), 0)
  process.stdout.write(
    `    the lowest possible ratio on these cores  ${Math.max(1, all / cpus().length / median(used.direct)).toFixed(2)}\n`,
  )
}
