// Dubbing of a film of ten hours (STUDIO_BENCH_HOURS for another length): memory of the studio over idle and the longest block of its event loop in
// each step. The film is a minute of sound over a still picture, repeated. It is spoken with the test voice, because only the work beside speech counts.
// While a step lasts, its minutes so far are printed.
// STUDIO_BENCH_LINES=5000 gives a shorter film the lines of ten hours.
// STUDIO_BENCH_FILM_GB=50 makes the file that large with a box of zeros that players skip, and ends after the preparation.

import { open } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { createDubClient } from './support/dubbing/client.ts'
import { makeFilm, runFfmpeg } from './support/dubbing/film.ts'
import { residentBytes, type Watched, watched } from './support/dubbing/watched.ts'
import { startStudio, temporary } from './support/peers.ts'
import { title } from './support/rounds.ts'

const HOURS = Number(process.env['STUDIO_BENCH_HOURS'] ?? 10)
const SECONDS = HOURS * 3600
const FILM_BYTES = Number(process.env['STUDIO_BENCH_FILM_GB'] ?? 0) * 1e9
/** The most that one generation takes. */
const LINES = Number(process.env['STUDIO_BENCH_LINES'] ?? Math.min(5_000, Math.floor(SECONDS / 7)))
const LOOK_MS = 500
const REPORT_MS = 60_000
/** The test voice sleeps for each step of its refinement, which says nothing of the studio: with the usual 16 steps most of a long run is sleep. */
const VOICE_STEPS = 1
const MAX_GROWN_MIB = 300
const LABEL = 46
const ID = 'hours'

const print = (label: string, value: string) => void process.stdout.write(`${label.padEnd(LABEL)} ${value}\n`)

export async function run(): Promise<void> {
  const missing = ['ffmpeg', 'ffprobe'].filter((name) => !findProgram(name, process.env['PATH']))
  if (missing.length > 0) return print('dub-hours', `not measured: needs ${missing.join(', ')}`)
  const folder = temporary()
  const studio = await startStudio()
  try {
    const minute = await makeFilm(folder.path, 60)
    const film = join(folder.path, 'hours.mp4')
    await runFfmpeg('ffmpeg', ['-v', 'error', '-y', '-stream_loop', '-1', '-i', minute.path, '-t', String(SECONDS), '-c', 'copy', film])
    if (FILM_BYTES > 0) await padFilm(film, FILM_BYTES)
    title(`A film of ${HOURS} hours with ${LINES} lines`)
    const client = createDubClient(studio.port)
    const idle = await residentBytes(studio)
    const steps: Watched<unknown>[] = []
    const step = async (label: string, work: () => Promise<unknown>) => {
      const from = performance.now()
      const report = setInterval(() => print(`  ${label}`, `${Math.round((performance.now() - from) / REPORT_MS)} min so far`), REPORT_MS)
      const one = await watched(studio, idle, work).finally(() => clearInterval(report))
      steps.push(one)
      const { grownBytes, blockMs, workMs, stalledMs, stalledSeconds, seconds } = one
      print(
        label,
        `${Math.round(seconds)} s, ${Math.round(grownBytes / MIB)} MiB over idle, longest block ${workMs === null ? 'not measured' : `${Math.round(workMs)} ms of work`} (${Math.round(stalledMs)} ms in ${Math.round(stalledSeconds)} s of stalls of the machine), ${Math.round(blockMs)} ms by the clock`,
      )
    }
    /** Polls instead of reading events, because a client of HTTP ends a stream that is silent for five minutes. */
    const finish = async (task: string) => {
      for (;;) {
        const { status, error } = await client.json('GET', `/jobs/${task}`)
        if (status === 'done') return
        if (status === 'failed' || status === 'cancelled') throw new Error(`The job ${task} is ${status}: ${error}`)
        await clock.sleep(LOOK_MS)
      }
    }
    await client.json('POST', '/engines/select', { family: 'tts', backend_id: 'tone' })
    await step('upload and preparation', async () => finish(await client.upload(ID, film, 'video')))
    if (FILM_BYTES > 0) return verdict(steps)
    await step('onsets', () => downloaded(studio.port, `/dub/onsets/${ID}`))
    const every = SECONDS / LINES
    const segments = Array.from({ length: LINES }, (_, at) => ({
      id: `l${at}`,
      start: at * every,
      end: at * every + 0.7 * every,
      text: `This is line number ${at} of a film of many hours.`,
    }))
    const body = { segments, language: 'English', language_code: 'en', num_step: VOICE_STEPS }
    await step('speech and voice track', async () => finish((await client.json('POST', `/dub/generate/${ID}`, body)).task_id))
    segments[Math.floor(LINES / 2)] = { ...segments[Math.floor(LINES / 2)]!, text: 'A line that was changed.' }
    await step('one changed line', async () => finish((await client.json('POST', `/dub/generate/${ID}`, body)).task_id))
    await step('mix', () => downloaded(studio.port, `/dub/download-audio/${ID}?lang=en`))
    await step('film', () => downloaded(studio.port, `/dub/download/${ID}?default_track=en`))
    verdict(steps)
  } finally {
    studio.kill()
    folder.remove()
  }
}

function verdict(steps: readonly Watched<unknown>[]): void {
  const grown = Math.max(...steps.map(({ grownBytes }) => grownBytes)) / MIB
  const met = grown <= MAX_GROWN_MIB ? 'met' : 'MISSED'
  print('memory of the studio over idle', `${Math.round(grown)} MiB  target: at most ${MAX_GROWN_MIB} MiB  ${met}`)
}

const FREE_BOX_HEADER = 16
/** Appends a box `free` (ISO/IEC 14496-12) with a length of 64 bits. The file is sparse. */
async function padFilm(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const header = Buffer.alloc(FREE_BOX_HEADER)
    header.writeUInt32BE(1, 0)
    header.write('free', 4, 'latin1')
    header.writeBigUInt64BE(BigInt(bytes - size), 8)
    await file.write(header, 0, FREE_BOX_HEADER, size)
    await file.truncate(bytes)
  } finally {
    await file.close()
  }
}

/**
 * Asks again while the answer is not finished within the time of a request, and waits longer for its head than `fetch`, which ends after five minutes.
 * Returns its bytes, none of which are kept.
 */
async function downloaded(port: number, path: string): Promise<number> {
  for (;;) {
    const { status, bytes, text } = await new Promise<{ status: number; bytes: number; text: string }>((resolve, reject) => {
      const call = get({ host: '127.0.0.1', port, path, headers: { connection: 'close' } }, (reply) => {
        let count = 0
        let start = ''
        reply.on('data', (piece: Buffer) => {
          if (count === 0) start = piece.toString('latin1', 0, 500)
          count += piece.length
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, bytes: count, text: start }))
        reply.on('error', reject)
      })
      call.on('error', reject)
    })
    if (status === 200) return bytes
    if (status !== 504) throw new Error(`GET ${path}: ${status} ${text}`)
  }
}
