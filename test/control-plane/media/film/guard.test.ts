import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { link, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { STALL_MS } from '#control-plane/media/ffmpeg/work-limit.ts'
import { createFilmMedia } from '#control-plane/media/film/film.ts'
import { type GuardedRun, runGuarded } from '#control-plane/media/film/guard/guard.ts'
import { createProgressReader } from '#control-plane/media/film/guard/progress.ts'
import { extractSound } from '#control-plane/media/film/sound/extract.ts'
import { type Clock, systemClock } from '#shared/runtime/clock.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { eventually } from '#test/support/world/world.ts'
import { corpus, ffmpeg, ffprobe, film, folder, make, never, scratch, withPrograms } from './corpus.ts'
import { newPath, stereo, tone } from './sound.ts'

// A server that would give any file away, and counts who asks.
let requests = 0
let connections = 0
const server = createServer((_, reply) => {
  requests++
  reply.end()
})
server.on('connection', () => connections++)
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())
const url = (name: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`

const box = (kind: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, body])
}

const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf'])
/** The movie with an alias in place of each reference "in this file". */
function withReference(movie: Buffer, target: string): Buffer {
  const boxes: Buffer[] = []
  for (let at = 0; at < movie.length; ) {
    const length = movie.readUInt32BE(at)
    const kind = movie.toString('latin1', at + 4, at + 8)
    const body = movie.subarray(at + 8, at + length)
    if (kind === 'dref') boxes.push(box('dref', Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), alias(target)))
    else boxes.push(PARENTS.has(kind) ? box(kind, withReference(body, target)) : movie.subarray(at, at + length))
    at += length
  }
  return Buffer.concat(boxes)
}
function alias(target: string): Buffer {
  const path = Buffer.from(target)
  const start = Buffer.alloc(4 + 10 + 28 + 12 + 64 + 16 + 4 + 16)
  const absolute = Buffer.alloc(4)
  absolute.writeUInt16BE(2, 0)
  absolute.writeUInt16BE(path.length, 2)
  return box('alis', start, absolute, path, Buffer.alloc(path.length % 2), Buffer.from([0xff, 0xff, 0, 0]))
}

type Trick = { readonly name: string; readonly content: (target: string) => Promise<string | Buffer> | string | Buffer }
const TRICKS: readonly Trick[] = [
  { name: 'HLS', content: (target) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n` },
  {
    name: 'DASH',
    content: (target) =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>`,
  },
  { name: 'concat', content: (target) => `ffconcat version 1.0\nfile '${target}'\n` },
  {
    name: 'SDP',
    content: () =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${(server.address() as AddressInfo).port} RTP/AVP 0\n`,
  },
  {
    name: 'a redirecting movie',
    content: (target) => {
      const address = Buffer.from(`${target}\0`)
      const size = Buffer.alloc(4)
      size.writeUInt32BE(address.length)
      return Buffer.concat([
        box('ftyp', Buffer.from('qt  \0\0\0\0qt  ')),
        box('moov', box('rmra', box('rmda', box('rdrf', Buffer.alloc(4), Buffer.from('url '), size, address)))),
      ])
    },
  },
  {
    name: 'a movie with its samples elsewhere',
    content: async (target) => withReference(await readFile(await corpus('plain.mp4')), target),
  },
]

/** The sound that the tricks are after, 30 seconds of it. */
const secretSound = async () => {
  const path = join(folder, 'secret.wav')
  if (!existsSync(path)) await make(['-f', 'lavfi', '-i', 'sine=d=30', path])
  return path
}

test('the trick is real: without the guard, ffprobe opens a connection', withPrograms, async () => {
  const path = `${newPath('control')}.mp4`
  await writeFile(path, await TRICKS[0]!.content(url('x.ts')))
  const before = connections
  // What builds of ffmpeg allow by default differs.
  await promisify(execFile)(ffprobe!, ['-v', 'error', '-protocol_whitelist', 'file,http,tcp', path]).catch(() => {})
  assert.ok(connections > before)
  requests = 0
})

for (const { name, content } of TRICKS)
  test(`${name} makes ffmpeg open no connection and no other file`, withPrograms, async () => {
    const secret = await secretSound()
    const before = connections
    for (const target of [url('secret.wav'), `file:${secret}`, secret]) {
      const path = `${newPath('trick')}.mp4`
      await writeFile(path, await content(target))
      const probed = await film.probe(path, never).catch((error: { code: string }) => error.code)
      if (typeof probed === 'string') assert.equal(probed, 'BAD_REQUEST')
      else {
        const to = { sound: newPath(), speech: newPath() }
        const read = await film.extract(path, probed, null, to, never).catch((error: { code: string }) => error.code)
        if (typeof read === 'string') assert.equal(read, 'BAD_REQUEST')
        else assert.ok(read.durationUs < 7e6, 'not the sound of the other file')
        await film.thumb(path, probed, newPath(), never).catch((error: { code: string }) => assert.equal(error.code, 'BAD_REQUEST'))
      }
    }
    assert.deepEqual([requests, connections - before], [0, 0])
    assert.deepEqual(await readdir(scratch), [])
  })

test('names of files are data: patterns, quotes, dashes and addresses', withPrograms, async () => {
  const source = await corpus('plain.mp4')
  for (const name of [`-i frame%03d it's "x" *?.mp4`, 'pipe:0', 'concat:a|b\\c,[d];e=f ü 電影.mp4']) {
    const path = join(folder, name)
    await link(source, path)
    const probed = await film.probe(path, never)
    assert.equal(probed.durationUs, 6e6, name)
    assert.equal(await film.thumb(path, probed, newPath('thumb'), never), true, name)
  }
})

test('progress is read in any pieces, without what lies', () => {
  const seen: number[] = []
  const reader = createProgressReader((position) => seen.push(position))
  for (const piece of [
    'out_time_us=N/A\nout_time_us=-23',
    '220\nout_time_ms=99\nout_',
    'time_us=500000\nprogress=continue\nout_time_us=400000\n',
    'out_time_us=750000\n',
  ])
    reader.push(piece)
  assert.deepEqual(seen, [500_000, 750_000])
})

/** Runs a shell script in place of ffmpeg. `started` resolves with its first output. */
function script(body: string, clock: Clock, signal = never, more: Partial<GuardedRun> = {}) {
  const programs = programFolder(newPath('programs'), { ffmpeg: body }, [])
  const work = newPath('work')
  mkdirSync(work)
  let note = () => {}
  const started = new Promise<void>((resolve) => {
    note = resolve
  })
  const run = runGuarded(
    { program: join(programs, 'ffmpeg'), folder: work, args: [], limitMs: 1e9, roomBytes: 2 ** 30, take: note, ...more },
    clock,
    signal,
  )
  return { run, started, work }
}
// A process that outlives its parent would hold the pipes, and the run would not settle.
const STUCK = 'sleep 1000 & echo started; wait'

test('a program that stalls is killed with everything it started', async () => {
  const clock = createFakeClock()
  const { run, started } = script(STUCK, clock)
  const ended = assert.rejects(run, { code: 'EXECUTION_TIMEOUT', message: /no progress for 120 seconds/ })
  await started
  clock.advance(STALL_MS)
  await ended
  assert.equal(clock.waiting(), 0)
})

test('a program whose result grows does not stall, and one that has little of the processors is not late', async () => {
  const clock = createFakeClock()
  const { run, started, work } = script(STUCK, clock, never, { watched: 'out', limitMs: STALL_MS })
  const ended = assert.rejects(run, { code: 'EXECUTION_TIMEOUT', message: /no progress/ })
  await started
  for (const bytes of [1, 2, 3, 4]) {
    writeFileSync(join(work, 'out'), 'x'.repeat(bytes))
    clock.advance(STALL_MS - 1000)
    // The size is read asynchronously, and the timer is set again.
    while (clock.waiting() < 1) await turn()
  }
  clock.advance(STALL_MS)
  await ended
})

test('an abort ends the whole group, and its reason is thrown', async () => {
  const abort = new AbortController()
  const { run, started } = script(STUCK, createFakeClock(), abort.signal)
  const ended = assert.rejects(run, /enough/)
  await started
  abort.abort(new Error('enough'))
  await ended
})

test('a file that is larger than the room is a full disk', {
  skip: existsSync('/usr/bin/prlimit') ? false : 'this machine has no prlimit',
}, async () => {
  const { run } = script('exec dd if=/dev/zero of=big bs=65536 count=64 2>/dev/null', systemClock, never, { roomBytes: 1 })
  await assert.rejects(run, { code: 'STORAGE_FULL' })
})

test('a run that ends with success after a refused write is a full disk', async () => {
  const { run } = script('echo "Error writing trailer of file:a: No space left on device" >&2; exit 0', systemClock)
  await assert.rejects(run, { code: 'STORAGE_FULL' })
})

test('a missing program, a failing one and a killed one have their own failures', async () => {
  const { run } = script('echo "source: it is broken" >&2; exit 1', systemClock)
  await assert.rejects(run, { code: 'BAD_REQUEST', message: /^The film cannot be read: it is damaged/ })
  await assert.rejects(script('kill -9 $$', systemClock).run, { code: 'PROGRAM_KILLED', message: /SIGKILL/ })
  await assert.rejects(script('kill -SEGV $$', systemClock).run, { code: 'BAD_REQUEST', message: /SIGSEGV/ })
  const missing = createFilmMedia({
    ffmpegPath: () => null,
    ffprobePath: () => join(folder, 'none'),
    clock: systemClock,
    freeBytes: async () => 2 ** 30,
    scratch,
  })
  await assert.rejects(missing.probe(folder, never), { code: 'PROGRAM_MISSING' })
  const none = createFilmMedia({
    ffmpegPath: () => null,
    ffprobePath: () => null,
    clock: systemClock,
    freeBytes: async () => 2 ** 30,
    scratch,
  })
  await assert.rejects(none.probe(folder, never), { code: 'PROGRAM_MISSING', message: /ffprobe/ })
})

test('a link in place of a film is not followed', withPrograms, async () => {
  const path = newPath('link')
  await symlink(await corpus('plain.mp4'), path)
  await assert.rejects(film.probe(path, never), { code: 'INPUT_UNAVAILABLE', message: /replaced by a link/ })
})

test('ffmpeg that was stopped in any stage ends within its limit and leaves nothing', withPrograms, async () => {
  const mark = newPath('stopped')
  const stopping = (real: string) => `case "$*" in *max_alloc*) : > '${mark}'; kill -STOP $$ ;; esac\nexec '${real}' "$@"`
  const programs = programFolder(newPath('programs'), { ffmpeg: stopping(ffmpeg!), ffprobe: stopping(ffprobe!) }, [])
  const clock = createFakeClock()
  const own = newPath('scratch')
  const program = join(programs, 'ffmpeg')
  const held = createFilmMedia({
    ...{ ffmpegPath: () => program, ffprobePath: () => join(programs, 'ffprobe') },
    ...{ clock, freeBytes: async () => 2 ** 34, scratch: own },
  })
  const source = await corpus('plain.mp4')
  const probed = await film.probe(source, never)
  const sound = await stereo(tone(1, Math.sin))
  const track = { sound: { folder: sound }, language: 'es', title: 'es' }
  const shown = { subtitles: [], retime: null, burn: null, chapters: [], title: null, audioKbps: 96 }
  const mp3 = { sound, format: 'mp3', kbps: 96, title: null, language: null } as const
  const work = {
    program,
    scratch: own,
    source,
    stream: 0,
    isMono: true,
    leadUs: 0,
    pictureUs: null,
    longestSeconds: 60,
    limitMs: 1e6,
    roomBytes: 2 ** 34,
    threads: 1,
  }
  const context = { clock, signal: never, progress: () => {} }
  const stages: Readonly<Record<string, () => Promise<unknown>>> = {
    probe: () => held.probe(source, never),
    extract: () => extractSound({ ...work, sound: newPath(), speech: newPath() }, context),
    thumb: () => held.thumb(source, probed, newPath(), never),
    scenes: () => held.scenes(source, probed, never),
    frames: () => held.frames(source, probed, [1e6], never),
    film: () => held.exportFilm({ source, film: probed, durationUs: 1e6, soundUs: 1e6, tracks: [track], ...shown, to: newPath() }, never),
    sound: () => held.exportSound({ ...mp3, to: newPath() }, never),
  }
  for (const [name, run] of Object.entries(stages)) {
    rmSync(mark, { force: true })
    let isOver = false
    const ended = assert.rejects(run(), { code: 'EXECUTION_TIMEOUT', message: /not processed/ }, name).finally(() => {
      isOver = true
    })
    await eventually(() => isOver || existsSync(mark))
    while (!isOver) {
      clock.advance(STALL_MS)
      await turn()
    }
    await ended
    assert.ok(existsSync(mark), name)
    assert.deepEqual([await readdir(own), clock.waiting()], [[], 0], name)
  }
})
