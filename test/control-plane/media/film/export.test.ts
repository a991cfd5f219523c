import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aacOptions } from '#control-plane/media/film/export/aac.rules.ts'
import type { FilmExport } from '#control-plane/media/film/export/plan.ts'
import { createFilmMedia } from '#control-plane/media/film/film.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { type CorpusFilm, corpus, ffmpeg, ffprobe, film, never, probedOf, scratch, withPrograms } from './corpus.ts'
import { clicksIn, newPath, RATE, stereo, tone } from './sound.ts'

const click = (at: number) => (time: number) => (time >= at && time < at + 0.01 ? 0.5 * Math.sin(2 * Math.PI * 1000 * (time - at)) : 0)

async function planFor(name: CorpusFilm, seconds: number, more: Partial<FilmExport> = {}): Promise<FilmExport> {
  const source = await corpus(name)
  const probed = await probedOf(name)
  const sound = await stereo(tone(seconds, click(2)))
  return {
    source,
    film: probed,
    durationUs: seconds * 1e6,
    soundUs: seconds * 1e6,
    tracks: [{ sound: { folder: sound }, language: 'es', title: 'Español = neutral; #1 \\' }],
    subtitles: [],
    retime: null,
    burn: null,
    chapters: [],
    title: null,
    audioKbps: 96,
    to: `${newPath('export')}.mp4`,
    ...more,
  }
}
type Shown = {
  streams: {
    codec_name: string
    codec_tag_string: string
    width?: number
    duration: string
    nb_frames: string
    tags?: Record<string, string>
    disposition: { default: number }
  }[]
  chapters: { start_time: string; tags: { title: string } }[]
  packets: { codec_type: string; pts_time: string }[]
  format: { duration: string; tags: Record<string, string> }
}
const SHOWN = ['-show_streams', '-show_format', '-show_chapters', '-show_packets']
const shown = (path: string): Shown =>
  JSON.parse(execFileSync(ffprobe!, ['-v', 'error', ...SHOWN, '-of', 'json', path], { encoding: 'utf8', maxBuffer: 2 ** 26 }))
/** Mono sound of the first tracks. */
function heard(path: string, tracks = 1): Float32Array[] {
  const paths = Array.from({ length: tracks }, () => newPath('heard'))
  const outputs = paths.flatMap((to, track) => [
    ...['-map', `0:a:${track}`, '-af', 'aresample=first_pts=0', '-ac', '1', '-ar', String(RATE), '-f', 'f32le', to],
  ])
  execFileSync(ffmpeg!, ['-v', 'error', '-nostdin', '-i', path, ...outputs])
  return paths.map((from) => new Float32Array(Uint8Array.from(readFileSync(from)).buffer))
}
/** Seconds of each frame of the picture. */
const frameTimes = ({ packets }: Shown): number[] =>
  packets.flatMap(({ codec_type: type, pts_time: at }) => (type === 'video' ? [Number(at)] : [])).sort((left, right) => left - right)

test('a picture is copied although ffmpeg was killed once', withPrograms, async () => {
  const killed = newPath('killed')
  const bin = newPath('bin')
  const script = `case "$*" in *"-c:v copy"*) if [ ! -e '${killed}' ]; then : > '${killed}'; kill -9 $$; fi;; esac\nexec '${ffmpeg}' "$@"`
  programFolder(bin, { ffmpeg: script }, [])
  const freeBytes = async () => 2 ** 34
  const once = createFilmMedia({
    ffmpegPath: () => join(bin, 'ffmpeg'),
    ffprobePath: () => ffprobe,
    clock: systemClock,
    freeBytes,
    scratch,
  })
  const result = await once.exportFilm(await planFor('plain.mp4', 6), never)
  assert.deepEqual([existsSync(killed), result.isPictureCopied], [true, true])
})

test('a film keeps its picture and gets tracks, subtitles, chapters and titles', withPrograms, async () => {
  const second = await stereo(tone(6, click(3)))
  const plan = await planFor('plain.mp4', 6, {
    title: 'A = film; with # and \\ in its title\nand a second line',
    chapters: [
      { title: 'One', startUs: 0, endUs: 2.5e6 },
      { title: null, startUs: 2.5e6, endUs: 6e6 },
    ],
    subtitles: [{ srt: '1\n00:00:01,000 --> 00:00:02,000\nHola\n', language: 'es-MX', title: 'Subtítulos' }],
  })
  const result = await film.exportFilm(
    {
      ...plan,
      tracks: [
        ...plan.tracks,
        { sound: { folder: second }, language: 'deu', title: null },
        { sound: { stream: 0 }, language: 'en', title: 'Original' },
      ],
    },
    never,
  )
  const { streams, chapters, format } = shown(result.path)
  assert.deepEqual(
    // Chapters are a track of their own.
    streams
      .filter(({ codec_name: codec }) => codec !== 'bin_data')
      .map(({ codec_name: codec, tags, disposition }) => [codec, tags?.['language'], disposition.default]),
    [
      ['h264', 'und', 1],
      ['aac', 'spa', 1],
      ['aac', 'deu', 0],
      ['aac', 'eng', 0],
      ['mov_text', 'spa', 0],
    ],
  )
  assert.equal(streams[1]!.tags?.['handler_name']?.trim(), 'Español = neutral; #1 \\')
  assert.equal(streams[3]!.tags?.['handler_name'], 'Original')
  assert.equal(format.tags['title'], 'A = film; with # and \\ in its title and a second line')
  assert.deepEqual(
    chapters.map(({ start_time: at, tags }) => [Number(at), tags.title]),
    [
      [0, 'One'],
      [2.5, 'Chapter 2'],
    ],
  )
  assert.equal(result.isPictureCopied, true)
  assert.equal(result.bytes, (await stat(result.path)).size)
  const sounds = heard(result.path, 3).map((samples) => clicksIn(samples))
  for (const [track, at] of [
    [0, 2],
    [1, 3],
  ] as const)
    assert.ok(Math.abs(sounds[track]![0]! - at) < 0.003, `track ${track}`)
  assert.deepEqual(sounds[2]!.map(Math.round), [0, 1, 2, 3, 4, 5])
  assert.ok((await readFile(result.path)).subarray(0, 4096).includes('moov'), 'the index is at the front')
  assert.deepEqual(await readdir(scratch), [])
})

for (const name of ['late.mkv', 'transport.ts', 'rotated.mp4', 'hdr.mkv'] as const)
  test(`the picture of ${name} is copied and begins with its sound`, withPrograms, async () => {
    const plan = await planFor(name, 6)
    const result = await film.exportFilm(
      { ...plan, tracks: [...plan.tracks, { sound: { stream: 0 }, language: null, title: null }] },
      never,
    )
    const written = shown(result.path)
    assert.equal(result.isPictureCopied, true)
    assert.deepEqual(result.warnings, [])
    assert.ok(Math.abs(frameTimes(written)[0]!) < 0.001)
    const [own, copied] = heard(result.path, 2).map((samples) => clicksIn(samples)) as [number[], number[]]
    assert.ok(Math.abs(own[0]! - 2) < 0.003, String(own))
    if (name === 'hdr.mkv') assert.equal(written.streams[0]!.codec_tag_string, 'hvc1')
    // The original is where it was: clicks on the second, or 0.7 s after it.
    const expected = name === 'late.mkv' ? 1.7 : 2
    assert.ok(
      copied.some((at) => Math.abs(at - expected) < 0.005),
      String(copied),
    )
  })

test('a picture is retimed by an expression and ends with its sound', withPrograms, async () => {
  // The second from 2 to 3 lasts twice as long.
  const retime = 'if(lt(T,2),T,if(lt(T,3),2+(T-2)*2,T+1))'
  const plan = await planFor('plain.mp4', 7, { retime })
  const result = await film.exportFilm(plan, never)
  const times = frameTimes(shown(result.path))
  assert.equal(result.isPictureCopied, false)
  assert.equal(times.length, 175)
  assert.ok(Math.abs(times.at(-1)! - 6.96) < 0.001)
  assert.deepEqual((await film.probe(result.path, never)).video?.durationUs, 7e6)
  await assert.rejects(film.exportFilm({ ...plan, retime: "1'/TB,movie=x" }, never), RangeError)
})

/** Bytes of a small gray picture at a time. */
const pictureAt = (path: string, seconds: number): Buffer =>
  execFileSync(ffmpeg!, [
    '-v',
    'error',
    '-ss',
    String(seconds),
    '-i',
    path,
    '-frames:v',
    '1',
    '-vf',
    'scale=32:18,format=gray',
    '-f',
    'rawvideo',
    '-',
  ])
const ASS = ['[Script Info]', '[V4+ Styles]', 'Format: Name', 'Style: D', '[Events]', 'Format: Layer, Start, End, Style, Text', ''].join(
  '\n',
)

for (const [name, endsAt, forms] of [
  ['short-picture.mp4', 4, 3],
  ['short-picture.mkv', 5.5, 1],
  ['still.mp4', 0, 1],
  ['still.mkv', 0, 3],
] as const)
  test(`the last picture of ${name} stays until the end of its sound in every form`, withPrograms, async () => {
    const last = pictureAt(await corpus(name), Math.max(0, endsAt - 0.04))
    for (const [form, more, seconds] of (
      [
        ['as it is', {}, 6],
        ['drawn into', { burn: { ass: ASS, language: null } }, 6],
        ['slower', { retime: 'T*1.5' }, 9],
      ] as const satisfies readonly (readonly [string, Partial<FilmExport>, number])[]
    ).slice(0, forms)) {
      const plan = await planFor(name, seconds, more)
      const result = await film.exportFilm(
        { ...plan, tracks: [...plan.tracks, { sound: { stream: 0 }, language: null, title: null }] },
        never,
      )
      const { video, lengthUs } = await film.probe(result.path, never)
      assert.deepEqual([result.isPictureCopied, result.warnings], [false, []], form)
      for (const us of [video!.durationUs!, lengthUs!]) assert.ok(Math.abs(us / 1e6 - seconds) < 0.11, `${form}: ${us / 1e6} s`)
      const held = pictureAt(result.path, seconds - 0.2)
      assert.equal(held.length, last.length, `${form}: a picture is there until the end`)
      const difference = last.reduce((sum, pixel, at) => sum + Math.abs(pixel - held[at]!), 0) / last.length
      assert.ok(difference < 6, `${form}: ${difference}`)
      assert.ok(Math.abs(clicksIn(heard(result.path)[0]!)[0]! - 2) < 0.003, form)
    }
  })

test('a picture that ends only a little before its sound is copied', withPrograms, async () => {
  const result = await film.exportFilm(await planFor('plain.mp4', 6.1), never)
  assert.equal(result.isPictureCopied, true)
})

test('a picture that announces more than there is, and more than its sound, is not held', withPrograms, async () => {
  const plan = await planFor('plain.mp4', 6)
  const probed = { ...plan.film, durationUs: 20e6, video: { ...plan.film.video!, durationUs: 20e6 } }
  await assert.rejects(film.exportFilm({ ...plan, film: probed, durationUs: 20e6 }, never), {
    code: 'UNKNOWN',
    message: /6\.00 s instead of 20\.00 s/,
  })
  // Its sound is longer than its real picture.
  const held = await film.exportFilm({ ...(await planFor('plain.mp4', 8)), film: probed }, never)
  assert.ok(Math.abs((await film.probe(held.path, never)).video!.durationUs! - 8e6) < 50_000)
})

test('the original of a film whose sound begins first lies where the film has it, like the dub', withPrograms, async () => {
  const name = 'fragmented.mp4'
  const probed = await probedOf(name)
  assert.ok(probed.audio[0]!.leadUs < -25_000, `${probed.audio[0]!.leadUs}`)
  const to = { sound: newPath(), speech: newPath() }
  const { durationUs } = await film.extract(await corpus(name), probed, null, to, never)
  const plan = await planFor(name, 6)
  const tracks = [
    { sound: { folder: to.sound }, language: 'en', title: null },
    { sound: { stream: 0 }, language: 'en', title: null },
  ]
  const result = await film.exportFilm({ ...plan, tracks, soundUs: durationUs, durationUs: 6e6 }, never)
  assert.equal(result.isPictureCopied, true)
  const [dub, original] = heard(result.path, 2).map((samples) => clicksIn(samples).slice(0, 4)) as [number[], number[]]
  assert.equal(dub.length, 4)
  for (const [at, click] of dub.entries()) {
    assert.ok(Math.abs(click - original[at]!) < 0.003, `${dub} and ${original}`)
    // The file has its picture later than it was.
    assert.ok(Math.abs(click - (at + 1 + probed.audio[0]!.leadUs / 1e6)) < 0.03, `${dub}`)
  }
})

test('subtitles are drawn into a turned picture', withPrograms, async () => {
  const ass = [
    '[Script Info]',
    'PlayResX: 90',
    'PlayResY: 160',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, Alignment',
    'Style: D,Sans,40,&H00FFFFFF,5',
    '[Events]',
    'Format: Layer, Start, End, Style, Text',
    'Dialogue: 0,0:00:00.00,0:00:06.00,D,MMM',
    '',
  ].join('\n')
  const result = await film.exportFilm(await planFor('rotated.mp4', 2, { burn: { ass, language: 'xx' } }), never)
  const { video } = await film.probe(result.path, never)
  assert.deepEqual([video?.width, video?.height, video?.rotation, result.isPictureCopied], [90, 160, 0, false])
  assert.match(result.warnings[0] ?? '', /no font for the language xx/)
  const [plain, burnt] = [await corpus('rotated.mp4'), result.path].map((path) =>
    execFileSync(ffmpeg!, ['-v', 'error', '-ss', '1', '-i', path, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-']),
  )
  assert.equal(plain!.length, burnt!.length)
  const changed = plain!.filter((pixel, i) => Math.abs(pixel - burnt![i]!) > 60).length
  assert.ok(changed > 100, `${changed} pixels differ`)
})

test('HDR that is encoded again keeps its colours', withPrograms, async (t) => {
  const result = await film.exportFilm(await planFor('hdr.mkv', 2, { retime: 'T' }), never)
  const { video } = await film.probe(result.path, never)
  if (video?.codec !== 'hevc') return t.skip('this ffmpeg has no libx265')
  assert.deepEqual([video.hdr, video.bitDepth, shown(result.path).streams[0]!.codec_tag_string], ['pq', 10, 'hvc1'])
})

test('a result of another length does not count, and leaves no file', withPrograms, async () => {
  const plan = await planFor('plain.mp4', 6)
  const short = await stereo(tone(3, click(2)))
  const wrong = { ...plan, durationUs: 20e6, soundUs: 3e6, tracks: [{ ...plan.tracks[0]!, sound: { folder: short } }] }
  await assert.rejects(film.exportFilm(wrong, never), { code: 'UNKNOWN', message: /lasts 6\.\d\d s instead of 20\.00 s/ })
  await assert.rejects(stat(plan.to), { code: 'ENOENT' })
  assert.deepEqual(await readdir(scratch), [])
})

test('an aborted export leaves no file', withPrograms, async () => {
  const plan = await planFor('plain.mp4', 6, { retime: 'T*1' })
  const abort = new AbortController()
  const running = film.exportFilm(plan, abort.signal)
  abort.abort(new Error('stopped by the test'))
  await assert.rejects(running, /stopped by the test/)
  await assert.rejects(stat(plan.to), { code: 'ENOENT' })
  assert.deepEqual(await readdir(scratch), [])
})

for (const format of ['wav', 'm4a', 'mp3', 'flac'] as const)
  test(`sound is written as ${format}`, withPrograms, async () => {
    const sound = await stereo(tone(3, click(2)))
    const to = `${newPath('sound')}.${format}`
    const result = await film.exportSound({ sound, format, kbps: 128, title: 'A; title', language: 'fr', to }, never)
    const { streams, format: container } = shown(to)
    assert.equal(streams[0]!.codec_name, { wav: 'pcm_s16le', m4a: 'aac', mp3: 'mp3', flac: 'flac' }[format])
    assert.ok(Math.abs(Number(container.duration) - 3) < 0.1)
    assert.equal(result.durationUs, 3e6)
    if (format !== 'wav') assert.equal(container.tags['title'] ?? container.tags['TITLE'], 'A; title')
    assert.ok(Math.abs(clicksIn(heard(to)[0]!)[0]! - 2) < 0.003)
  })

test('AAC of a high bit rate takes less processor time than with the usual search, and has no more noise', withPrograms, async () => {
  const samples = tone(20, (time) => 0.3 * Math.sin(2 * Math.PI * (300 + 40 * time) * time) + 0.02 * Math.sin(7919 * time * time))
  const wav = `${newPath('aac')}.s16`
  await writeFile(wav, Buffer.from(Int16Array.from(samples, (sample) => sample * 32_767).buffer))
  const raw = ['-f', 's16le', '-ar', String(RATE), '-ac', '1']
  function encoded(options: readonly string[]): { readonly seconds: number; readonly noise: number } {
    const to = `${newPath('aac')}.m4a`
    const said = spawnSync(ffmpeg!, ['-benchmark', ...raw, '-i', wav, ...options, to], { encoding: 'utf8' }).stderr
    const [, seconds] = /utime=([\d.]+)s/.exec(said) ?? []
    const bytes = execFileSync(ffmpeg!, ['-v', 'error', '-i', to, ...raw, 'pipe:1'], { maxBuffer: 2 ** 26 })
    let noise = 0
    for (let at = 0; at < samples.length; at++) noise += (bytes.readInt16LE(2 * at) / 32_767 - samples[at]!) ** 2
    return { seconds: Number(seconds), noise }
  }
  const [usual, own] = [encoded(['-c:a', 'aac', '-b:a', '192k']), encoded(aacOptions('a', 192))]
  assert.ok(own.seconds < 0.8 * usual.seconds, `${own.seconds} s instead of ${usual.seconds}`)
  assert.ok(own.noise < 1.05 * usual.noise, `${own.noise} instead of ${usual.noise}`)
  assert.deepEqual(aacOptions('a:1', 96), ['-c:a:1', 'aac', '-b:a:1', '96k'])
})
