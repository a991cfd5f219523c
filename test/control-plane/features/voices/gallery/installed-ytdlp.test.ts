// The installed yt-dlp with our arguments, against files of a server on this machine. Only the address differs from those of the studio, which
// reads listed sites alone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { clipArguments, searchArguments } from '#control-plane/features/voices/gallery/videos/arguments.ts'
import { runConfined } from '#control-plane/media/remote/confined-program.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const path = process.env['PATH'] ?? ''
const [ytdlp, ffmpeg] = [findProgram('yt-dlp', path), findProgram('ffmpeg', path)]
const missing = [ytdlp === null && 'yt-dlp', ffmpeg === null && 'ffmpeg'].filter(Boolean).join(' and ')
const withPrograms = { skip: missing !== '' && `${missing}: not on PATH` }
const LIMITS = { ms: 300_000, outputBytes: 4 * 1024 ** 2, fileBytes: 64 * 1024 ** 2 }

/** A server whose every answer is a recording; `asked` has the paths of the requests. */
async function mediaServer(t: TestContext) {
  const wav = spokenWav({ seconds: 8 })
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    const [from, to] = range ? [Number(range[1]), range[2] ? Number(range[2]) : wav.length - 1] : [0, wav.length - 1]
    response.writeHead(range ? 206 : 200, {
      'content-type': 'audio/x-wav',
      'accept-ranges': 'bytes',
      'content-length': to - from + 1,
      ...(range && { 'content-range': `bytes ${from}-${to}/${wav.length}` }),
      connection: 'close',
    })
    response.end(request.method === 'HEAD' ? undefined : wav.subarray(from, to + 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
function openFolders(t: TestContext) {
  const folder = temporaryFolder(t)
  return { home: emptyFolder(join(folder, 'home')), result: emptyFolder(join(folder, 'result')) }
}
const run = (t: TestContext, args: readonly string[], { home, result }: ReturnType<typeof openFolders>) =>
  runConfined({ program: ytdlp!, args, home, watched: result, path }, LIMITS, clock, t.signal)

test('yt-dlp accepts our arguments and writes the wanted part as the one file', withPrograms, async (t) => {
  const { address } = await mediaServer(t)
  const folders = openFolders(t)
  const section = { url: 'https://www.youtube.com/watch?v=abc', start: 2, seconds: 3 }
  const args = clipArguments(section, { folder: folders.result, ffmpeg }, 16)
  const end = await run(t, [...args.slice(0, -1), `${address}/voice.wav`], folders)
  assert.equal(end.ended, 'ok', JSON.stringify(end))
  assert.deepEqual(readdirSync(folders.result), ['clip.wav'])
  const { samples, sampleRate } = parseWav(readFileSync(join(folders.result, 'clip.wav')))
  assert.ok(Math.abs(samples.length / sampleRate - 3) < 0.3, `${samples.length / sampleRate} s`)
})

test('yt-dlp accepts our arguments of a search, and takes a text after -- as no option', withPrograms, async (t) => {
  const { address, asked } = await mediaServer(t)
  const folders = openFolders(t)
  const args = searchArguments('words', 3).slice(0, -1)
  const found = await run(t, [...args, `${address}/film.wav`], folders)
  assert.equal(found.ended, 'ok', JSON.stringify(found))
  assert.equal(JSON.parse('output' in found ? found.output : '').title, 'film')
  const before = asked.length
  const end = await run(t, [...args, `--exec=touch ${folders.result}/made`], folders)
  assert.equal(end.ended, 'failed')
  assert.deepEqual([readdirSync(folders.result), asked.length], [[], before])
})
