// Dubbing: each figure of its quality and cost with its target. The film is made here from known sentences, 60 s long (STUDIO_BENCH_MINUTES for a
// longer one). It is dubbed with pocketsphinx, apertium and eSpeak NG or the embedded voice, so figures of words are those of these programs.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { plainWords, wordErrors } from '#test/support/audio/words.ts'
import { createDubClient, type DubClient } from './support/dubbing/client.ts'
import { type BenchFilm, clicksIn, FRAMES_PER_SECOND, flashesIn, makeFilm, runFfmpeg } from './support/dubbing/film.ts'
import { residentBytes, watched } from './support/dubbing/watched.ts'
import { startStudio, temporary } from './support/peers.ts'
import { median, quantile, title } from './support/rounds.ts'

const SECONDS = 60 * Number(process.env['STUDIO_BENCH_MINUTES'] ?? 1)
const NEEDED = ['ffmpeg', 'ffprobe', 'pocketsphinx_continuous', 'apertium', 'espeak-ng']
const MANY_LINES = 1_000
const AUDIBLE = 0.005
const CANCELS = 5
const LABEL = 48

const print = (label: string, value: string, target = '') => void process.stdout.write(`${label.padEnd(LABEL)} ${value}${target}\n`)
/** `most`: the target. */
const figure = (label: string, value: number, most: number, unit: string, digits = 1) =>
  print(label, `${value.toFixed(digits)} ${unit}`, `  target: at most ${most} ${unit}  ${value <= most ? 'met' : 'MISSED'}`)
const least = (label: string, value: number, target: number, unit: string) =>
  print(label, `${value.toFixed(1)} ${unit}`, `  target: at least ${target} ${unit}  ${value >= target ? 'met' : 'MISSED'}`)

export async function run(): Promise<void> {
  const missing = NEEDED.filter((name) => !findProgram(name, process.env['PATH']))
  if (missing.length > 0) return print('dub', `not measured: needs ${missing.join(', ')}`)
  const folder = temporary()
  const studio = await startStudio()
  try {
    const client = createDubClient(studio.port)
    const film = await makeFilm(folder.path, SECONDS)
    title(`A film of ${SECONDS} s with ${film.lines.length} sentences, dubbed to Spanish and to English`)
    const cost = await watched(studio, await residentBytes(studio), () => measureFilm(client, film, folder.path))
    await measureCancel(client)
    await measureChange(client, folder.path)
    // Without the time in which the programs that the studio starts have the processors of a small machine.
    const block = 'longest block of the event loop, processor time'
    if (cost.workMs === null) print(block, 'not measured: the machine stood still most of the time')
    else figure(block, cost.workMs, 20, 'ms')
    print('the same in stalls of the machine', `${cost.stalledMs.toFixed(1)} ms in ${cost.stalledSeconds.toFixed(1)} s`)
    print('the same, time of the clock', `${cost.blockMs.toFixed(1)} ms`)
    figure('memory of the studio over idle', cost.grownBytes / MIB, 300, 'MiB', 0)
    print('original voice inside speech', 'not measured: needs a separation model (./studio models install StemSplitio/htdemucs-onnx:fp16)')
    print('the same digests after kills', 'measured by test/long/dubbing/dub-kills.test.ts')
  } finally {
    studio.kill()
    folder.remove()
  }
}

async function measureFilm(client: DubClient, film: BenchFilm, folder: string): Promise<void> {
  const timed = async <T>(work: () => Promise<T>) => {
    const from = performance.now()
    return [await work(), (performance.now() - from) / 1000] as const
  }
  const [, prepSeconds] = await timed(() => client.prepare('bench', film.path, 'video'))
  figure('preparation / length of the film', prepSeconds / film.seconds, 0.05, '', 3)
  const lines = await client.transcribe('bench')
  const texts = lines.map(({ id, text, start, end }) => ({ id: String(id), text, start, end }))
  const { translated } = await client.json('POST', '/dub/translate', { segments: texts, source_lang: 'en', target_lang: 'es' })
  const byId = new Map((translated as { id: string; text: string }[]).map(({ id, text }) => [id, text]))
  const spanish = texts.map((line) => ({ ...line, text: byId.get(line.id)! }))
  const events = await client.generate('bench', { segments: spanish, language: 'Spanish', language_code: 'es' })
  const assembling = events.find(({ event }) => event.type === 'assembling')!
  const [, onsetSeconds] = await timed(() => client.json('GET', '/dub/onsets/bench'))
  print('onsets / length of the film', (onsetSeconds / film.seconds).toFixed(3))
  const [, mixSeconds] = await timed(() => client.bytes('/dub/download-audio/bench?lang=es'))
  // From the event `assembling`: groups of lines get their effects when they are spoken, which is part of the speech here.
  figure('fit to mix / length of the film', ((events.at(-1)!.at - assembling.at) / 1000 + mixSeconds) / film.seconds, 0.02, '', 3)
  const [, exportSeconds] = await timed(async () => {
    writeFileSync(join(folder, 'dub.mp4'), await client.bytes('/dub/download/bench?default_track=es'))
  })
  // Most of it is the AAC encoder of ffmpeg.
  print('film from the mix / length of the film', (exportSeconds / film.seconds).toFixed(3))

  const stored = await client.stored('bench')
  const plan = stored.fit_plans.es as {
    lines: { id: string; startUs: number; lengthUs: number; rate: number; naturalUs: number; cutUs: number; silence: unknown }[]
  }
  await measureOnsets(film, stored.dubbed_tracks.es.path, plan.lines)
  const silent = plan.lines.filter(({ lengthUs, silence }) => lengthUs === 0 && silence === null).length
  figure('lines without sound and without a reason', silent, 0, 'lines', 0)
  const spoken = plan.lines.filter(({ lengthUs }) => lengthUs > 0).toSorted((one, other) => one.startUs - other.startUs)
  const overlaps = spoken.filter((line, at) => at > 0 && spoken[at - 1]!.startUs + spoken[at - 1]!.lengthUs > line.startUs).length
  figure('overlaps of lines', overlaps, 0, 'lines', 0)
  least(
    'lines spoken 0.9 to 1.2 times as fast',
    (100 * spoken.filter(({ rate }) => rate >= 0.9 && rate <= 1.2).length) / spoken.length,
    90,
    '%',
  )
  const natural = spoken.reduce((sum, { naturalUs }) => sum + naturalUs, 0)
  figure('cut speech', (100 * spoken.reduce((sum, { cutUs }) => sum + cutUs, 0)) / natural, 1, '%')
  await measureSound(client, film, plan.lines)
  await measureDrift('error of picture and sound at the end, copy', join(folder, 'dub.mp4'), 1)
  await client.generate('bench', { segments: spanish, language: 'Spanish', language_code: 'es', timing_strategy: 'stretch_video' })
  writeFileSync(join(folder, 'slow.mp4'), await client.bytes('/dub/download/bench?default_track=es'))
  await measureDrift('error of picture and sound at the end, retimed', join(folder, 'slow.mp4'), 1)

  // The known sentences, so that every wrong word is one of the voice or of the recogniser.
  await client.prepare('words', film.path, 'video')
  const english = await client.importLines('words', film.lines)
  await client.generate('words', { segments: english, language: 'English', language_code: 'en' })
  const words = await wordsOf(client)
  print(
    'wrong words of the dub, as pocketsphinx understands',
    `${words.toFixed(1)} %`,
    '  target: 1 point over the error of the engine alone',
  )
}

async function measureOnsets(film: BenchFilm, track: string, lines: readonly { startUs: number; lengthUs: number }[]): Promise<void> {
  const sound = await openBlocks(track)
  const errors: number[] = []
  for (const { startUs, lengthUs } of lines) {
    if (lengthUs === 0) continue
    const start = startUs / 1e6
    const bytes = await sound.read(Math.max(0, Math.round((start - 0.1) * sound.sampleRate)), sound.sampleRate)
    const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    const at = values.findIndex((value) => Math.abs(value) > AUDIBLE)
    if (at < 0) continue
    const onset = Math.max(0, start - 0.1) + at / sound.sampleRate
    errors.push(Math.min(...film.lines.map((line) => Math.abs(line.start - onset))) * 1000)
  }
  figure('onset of dub against original, median', median(errors), 20, 'ms')
  figure('onset of dub against original, 95 %', quantile(errors, 0.95), 80, 'ms')
}

async function measureSound(client: DubClient, film: BenchFilm, lines: readonly { startUs: number; lengthUs: number }[]): Promise<void> {
  const original = parseWav(await client.bytes('/dub/audio/bench'))
  const dub = parseWav(await client.bytes('/dub/download-audio/bench?lang=es'))
  let peak = 0
  for (const value of dub.samples) peak = Math.max(peak, Math.abs(value))
  const stored = await client.stored('bench')
  const speech = [
    // With the click before each sentence, which a detector may take for speech.
    ...film.lines.map(({ start, end }) => ({ start: start - 0.3, end })),
    ...(stored.segments as { start: number; end: number }[]),
    ...lines.map(({ startUs, lengthUs }) => ({ start: startUs / 1e6, end: (startUs + lengthUs) / 1e6 })),
  ]
  const { sampleRate } = original
  const isFree = (seconds: number) => speech.every(({ start, end }) => seconds < start - 0.5 || seconds > end + 0.5)
  let differing = 0
  let looked = 0
  const places = new Set<number>()
  for (let frame = 0; frame < film.seconds * sampleRate; frame++) {
    if (!isFree(frame / sampleRate)) continue
    looked++
    if (Math.abs(original.samples[frame]! - dub.samples[frame]!) > 1.5 / 32_768) {
      differing++
      places.add(Math.floor(frame / sampleRate))
    }
  }
  figure(`samples outside speech that differ, of ${looked}`, differing, 0, 'samples', 0)
  if (differing > 0) print('    in the seconds', [...places].slice(0, 20).join(', '))
  figure('peak', 20 * Math.log10(peak), -1, 'dBFS')
}

/** Against the first flash, so that the priming of a codec does not count. */
async function measureDrift(label: string, path: string, streams: number): Promise<void> {
  const flashes = await flashesIn(path)
  const clicks = await clicksIn(path, streams)
  const pairs = clicks.flatMap((click) => {
    const near = flashes.reduce(
      (best, flash) => (Math.abs(flash - click) < Math.abs(best - click) ? flash : best),
      Number.NEGATIVE_INFINITY,
    )
    return Math.abs(near - click) < 0.3 ? [near - click] : []
  })
  if (pairs.length < 2) return print(label, 'not measured: no clicks outside speech')
  figure(label, Math.abs(pairs.at(-1)! - pairs[0]!) * 1000, 1000 / FRAMES_PER_SECOND, 'ms')
}

async function wordsOf(client: DubClient): Promise<number> {
  const checked = await client.json('POST', '/dub/qc/words?lang=en')
  const rows = checked.segments as { seg_id: string; recognized_text: string }[]
  const texts = (await client.json('GET', '/dub/segments-text/words?lang=en')).texts as Record<string, string>
  let wrong = 0
  let total = 0
  for (const row of rows) {
    const expected = plainWords(texts[String(row.seg_id)] ?? '')
    wrong += wordErrors(expected, plainWords(row.recognized_text))
    total += expected.length
  }
  return (100 * wrong) / total
}

async function measureCancel(client: DubClient): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < CANCELS; round++) {
    const segments = Array.from({ length: 30 }, (_, at) => ({
      id: `c${round}-${at}`,
      start: at,
      end: at + 0.9,
      text: `This is sentence ${at} of round ${round}, which is not spoken to its end.`,
    }))
    const { task_id: task } = await client.json('POST', '/dub/generate/bench', { segments, language: 'English', language_code: 'en' })
    const following = client.follow(`/tasks/stream/${task}`)
    await clock.sleep(300)
    const from = performance.now()
    await client.json('POST', '/dub/abort/bench')
    const last = (await following).at(-1)!
    if (last.event.type === 'cancelled') times.push(last.at - from)
  }
  if (times.length > 0) figure('from cancel to its event, slowest', Math.max(...times), 250, 'ms')
  else print('from cancel to its event', 'not measured: every generation had ended')
}

/** Uses the test voice, because only the work beside speech counts. */
async function measureChange(client: DubClient, folder: string): Promise<void> {
  const path = join(folder, 'long.mp3')
  await runFfmpeg('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `anoisesrc=d=${MANY_LINES * 3}:c=pink:a=0.02:r=16000`,
    '-b:a',
    '32k',
    path,
  ])
  await client.prepare('many', path, 'audio')
  await client.json('POST', '/engines/select', { family: 'tts', backend_id: 'tone' })
  const segments = Array.from({ length: MANY_LINES }, (_, at) => ({
    id: `l${at}`,
    start: 3 * at,
    end: 3 * at + 2.5,
    text: `Sentence number ${at} of many.`,
  }))
  const body = { segments, language: 'English', language_code: 'en' }
  await client.generate('many', body)
  segments[500] = { ...segments[500]!, text: 'A sentence that was changed.' }
  const from = performance.now()
  const events = await client.generate('many', body)
  const seconds = (performance.now() - from) / 1000
  figure(`takes for one changed line of ${MANY_LINES}`, events.filter(({ event }) => event.type === 'progress').length, 1, 'takes', 0)
  figure('its time / length of the film', seconds / (3 * MANY_LINES), 0.02, '', 3)
}
