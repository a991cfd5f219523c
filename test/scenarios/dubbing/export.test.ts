// Exports of a dub: films with several languages, sound, subtitles, parts, and what is refused.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { authorizationsFolder, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { corpus, ffprobe, folder, make, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { type Reply, sharedWorld } from '#test/support/world/world.ts'
import { eventsOfTask, preparedDub } from './dub-client.ts'
import { addVoices } from './voices-in.ts'

const run = promisify(execFile)
const world_ = sharedWorld()
const LINES = [
  { id: 'a', startUs: 500_000, endUs: 1_500_000, text: 'Good morning.' },
  { id: 'b', startUs: 2_000_000, endUs: 3_500_000, text: 'How are you?' },
]
const SPOKEN = [{ id: 'all', startUs: 100_000, endUs: 29_500_000, text: 'A long talk.' }]
const NAME = 'Фильм "один" – 映画.mp4'

/** A film with two tracks, a recording with one, and a film without any. */
const prepare = async () => {
  const world = await world_()
  const chapters = join(folder, 'chapters.txt')
  writeFileSync(
    chapters,
    ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=3000\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=3000\nEND=6000\n',
  )
  const path = join(folder, 'with-chapters.mp4')
  await make(['-i', await corpus('plain.mp4'), '-i', chapters, '-map_metadata', '1', '-c', 'copy', path])
  const talk = join(folder, 'talk.wav')
  await make(['-f', 'lavfi', '-i', 'anoisesrc=d=30:c=pink:a=0.02:seed=3', talk])
  const { id: film } = await preparedDub(world, path, NAME)
  const { id: sound } = await preparedDub(world, talk, 'talk.wav', { input_type: 'audio' })
  const { id: bare } = await preparedDub(world, path, 'bare.mp4')
  assert.equal(await world.studio.end('SIGTERM'), 0)
  await addVoices(world.dataDir, [
    {
      id: film,
      lines: LINES,
      voices: [
        // The first line needs 2.25 times the time that it has.
        {
          code: 'es',
          language: 'Spanish',
          strategy: 'stretch_video',
          hasTrack: false,
          takes: { a: [3.2, 'Buenos días.'], b: [1, '¿Qué tal?'] },
        },
        {
          code: 'de',
          language: 'German',
          strategy: 'concise',
          hasTrack: true,
          takes: { a: [0.8, 'Guten Morgen.'], b: [1.2, 'Wie geht es?'] },
        },
      ],
    },
    {
      id: sound,
      lines: SPOKEN,
      voices: [{ code: 'fr', language: 'French', strategy: 'concise', hasTrack: true, takes: { all: [29, 'Un exposé.'] } }],
    },
  ])
  await world.restart()
  return { world, film, sound, bare }
}
let prepared: ReturnType<typeof prepare> | undefined
const dubs = () => (prepared ??= prepare())

type Stream = {
  readonly codec_name: string
  readonly codec_type: string
  readonly start_time: string
  readonly duration: string
  readonly bit_rate: string
  readonly tags?: { readonly language?: string }
  readonly disposition: { readonly default: number }
}
type Probed = { readonly streams: readonly Stream[]; readonly format: { readonly duration: string }; readonly chapters: readonly Stream[] }

let count = 0
async function probed({ body }: Reply) {
  const path = join(folder, `out-${count++}`)
  writeFileSync(path, body)
  const { stdout } = await run(ffprobe!, ['-v', 'error', '-show_format', '-show_streams', '-show_chapters', '-of', 'json', path])
  const { streams, format, chapters }: Probed = JSON.parse(stdout)
  const kind = (type: string) => streams.filter(({ codec_type }) => codec_type === type)
  const described = ({ tags, disposition }: Stream) => [tags?.language, disposition.default]
  return {
    seconds: Number(format.duration),
    chapters,
    video: kind('video'),
    audio: kind('audio'),
    sounds: kind('audio').map(described),
    subtitles: kind('subtitle'),
  }
}
/** Slowdown of the picture for 3.2 s of speech in 1.45 s. */
const SLOWER = 1.75
const near = (value: number, expected: number, by = 0.06) => assert.ok(Math.abs(value - expected) <= by, `${value} instead of ${expected}`)

test('subtitles have the times of the track, and a name in any script', withPrograms, async () => {
  const { world, film, bare } = await dubs()
  const plain = await world.get(`/dub/srt/${film}`)
  assert.equal(plain.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(plain.body.toString(), '1\n00:00:00,500 --> 00:00:01,500\nGood morning.\n\n2\n00:00:02,000 --> 00:00:03,500\nHow are you?\n')
  const disposition = plain.headers.get('content-disposition')!
  assert.match(disposition, /^attachment; filename="subtitles_[\x20-\x7e]*\.srt"; filename\*=UTF-8''subtitles_%D0%A4/)
  const spanish = (await world.get(`/dub/srt/${film}/any%20name.srt?lang=es&dual=true`)).body.toString()
  assert.equal(
    spanish,
    '1\n00:00:00,500 --> 00:00:03,700\nBuenos días.\n<i>Good morning.</i>\n\n2\n00:00:03,750 --> 00:00:04,750\n¿Qué tal?\n<i>How are you?</i>\n',
  )
  const vtt = await world.get(`/dub/vtt/${film}?lang=de`)
  assert.equal(vtt.headers.get('content-type'), 'text/vtt; charset=utf-8')
  assert.match(vtt.body.toString(), /^WEBVTT\n\n1\n00:00:00\.500 --> 00:00:01\.300\nGuten Morgen\.\n/)
  for (const [path, status] of [
    ['/dub/srt/unknown', 404],
    [`/dub/srt/${bare}`, 400],
    [`/dub/srt/${film}?lang=xx`, 404],
    [`/dub/vtt/${film}?lang=${encodeURIComponent('../x')}`, 400],
    [`/dub/vtt/${film}?dual=perhaps`, 422],
  ] as const)
    assert.equal((await world.get(path)).status, status, path)
})

test('a film has its languages on the time line of the default one', withPrograms, async () => {
  const { world, film } = await dubs()
  const whole = await world.get(`/dub/download/${film}`)
  assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'video/mp4'], whole.body.subarray(0, 300).toString())
  assert.match(whole.headers.get('content-disposition')!, /^attachment; filename="dubbed_.*_\d{8}_\d{6}\.mp4"/)
  assert.match(whole.headers.get('x-svc-notice')!, /not isolated/)
  const all = await probed(whole)
  // The original is the default, and there are two dubbed tracks: the times of the film.
  near(all.seconds, 6)
  assert.deepEqual(all.sounds, [
    ['eng', 1],
    ['spa', 0],
    ['deu', 0],
  ])
  assert.deepEqual(
    all.subtitles.map(({ disposition }) => disposition.default),
    [0, 0, 0],
  )
  assert.deepEqual(
    all.video.map(({ codec_name }) => codec_name),
    ['h264'],
  )
  assert.equal(
    all.audio.every(({ start_time }) => Math.abs(Number(start_time)) < 0.03),
    true,
  )

  const part = await world.send('GET', `/dub/download/${film}`, undefined, { range: 'bytes=10-99' })
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 10-99/${whole.body.length}`])
  assert.ok(part.body.equals(whole.body.subarray(10, 100)), 'the file was not made again')

  const slow = await world.get(`/dub/download/${film}/x.mp4?default_track=es&burn_subs=true`)
  assert.equal(slow.status, 200, slow.body.subarray(0, 300).toString())
  assert.equal(slow.headers.get('x-dub-export-warning'), null)
  const retimed = await probed(slow)
  near(retimed.seconds, 6 + SLOWER)
  near(Number(retimed.video[0]!.duration), 6 + SLOWER, 0.1)
  assert.deepEqual(retimed.sounds, [
    ['spa', 1],
    ['deu', 0],
    ['eng', 0],
  ])
  near(Number(retimed.chapters[1]!.start_time), 3 + SLOWER, 0.01)
  assert.equal(retimed.subtitles.length, 3, 'subtitles are not drawn into a film whose picture is slower')

  const german = await probed(await world.get(`/dub/download/${film}?include_tracks=de&default_track=original&burn_subs=true`))
  assert.deepEqual([german.sounds, german.subtitles.length], [[['deu', 1]], 0])
  near(german.seconds, 6)
})

test('a preview plays in a browser', { skip: withPrograms.skip || NO_BROWSER }, async (t) => {
  const { world, film } = await dubs()
  const path = `/dub/preview-video/${film}?lang=es`
  const reply = await world.get(path)
  assert.match(reply.headers.get('content-disposition')!, /^inline; /)
  const { sounds, subtitles } = await probed(reply)
  assert.deepEqual([sounds, subtitles], [[['spa', 1]], []])
  const { page } = await openPage(t, `${world.url}/health`)
  const played = await page.evaluate<number[]>(`(async () => {
    const video = document.createElement('video')
    const heard = (name) => new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true })
      video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true })
    })
    const loaded = heard('loadeddata')
    video.src = ${JSON.stringify(path)}
    document.body.append(video)
    await loaded
    const sought = heard('seeked')
    video.currentTime = 5
    await sought
    return [video.duration, video.currentTime, video.videoWidth]
  })()`)
  near(played[0]!, 6 + SLOWER, 0.1)
  assert.deepEqual(played.slice(1), [5, 160])
  assert.equal((await world.get(`/dub/preview-video/${film}?lang=xx`)).status, 404)
})

test('sound leaves as WAV and MP3, marked, and is saved where the owner allows it', withPrograms, async () => {
  const { world, film, sound } = await dubs()
  const wav = await world.get(`/dub/download-audio/${sound}?preserve_bg=false`)
  assert.deepEqual([wav.status, wav.headers.get('content-type')], [200, 'audio/wav'], wav.body.subarray(0, 300).toString())
  near(parseWav(wav.body).samples.length / 48_000, 30, 0.01)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(wav.body)]), 'sound.wav')
  assert.equal((await world.post('/watermark/detect', form)).json().is_watermarked, true)

  const mp3 = await world.get(`/dub/download-mp3/${sound}/talk.mp3?lang=xx&bitrate=999k`)
  assert.equal(mp3.headers.get('content-type'), 'audio/mpeg')
  near(Number((await probed(mp3)).audio[0]!.bit_rate), 320_000, 1000)
  for (const [query, codec] of [
    ['', 'aac'],
    ['?out_format=flac', 'flac'],
    ['?out_format=junk', 'aac'],
  ]) {
    const { audio, seconds } = await probed(await world.get(`/dub/download/${sound}${query}`))
    assert.equal(audio[0]!.codec_name, codec, query)
    near(seconds, 30, 0.1)
  }
  const slow = await world.get(`/dub/download-audio/${film}?lang=es`)
  near(parseWav(slow.body).samples.length / 48_000, 6 + SLOWER, 0.02)

  const to = join(folder, 'new', 'folders', 'ü film.wav')
  const token = writePathAuthorization(authorizationsFolder(world.dataDir), { kind: 'dub_export', path: to }, systemRandom)
  const header = { 'x-svc-path-authorization': token }
  const saved = (await world.send('GET', `/dub/download-audio/${film}?lang=es`, undefined, header)).json()
  assert.deepEqual(
    { ...saved, display_name: '' },
    { saved: true, path: to, size: slow.body.length, media_type: 'audio/wav', display_name: '' },
  )
  assert.ok(readFileSync(to).equals(slow.body))
  assert.equal((await world.send('GET', `/dub/download-audio/${film}`, undefined, header)).status, 403, 'used up')
  const own = join(world.dataDir, 'new', 'x.wav')
  const inside = writePathAuthorization(authorizationsFolder(world.dataDir), { kind: 'dub_export', path: own }, systemRandom)
  const refused = await world.send('GET', `/dub/download-audio/${film}`, undefined, { 'x-svc-path-authorization': inside })
  assert.equal(refused.status, 400)
  assert.equal(existsSync(join(world.dataDir, 'new')), false)
})

test('lines and stems leave as zip files', withPrograms, async () => {
  const { world, film } = await dubs()
  const listed = async (path: string) => {
    const { body, headers } = await world.get(path)
    const names: string[] = []
    for (let at = body.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = body.indexOf('PK\x01\x02', at + 46, 'latin1'))
      names.push(body.toString('utf8', at + 46, at + 46 + body.readUInt16LE(at + 28)))
    return { names, headers }
  }
  const lines = await listed(`/dub/export-segments/${film}?lang=de`)
  assert.deepEqual(lines.names, ['001_0.50-1.30_Speaker_1.wav', '002_2.00-3.20_Speaker_1.wav'])
  const stems = await listed(`/dub/export-stems/${film}?lang=de`)
  assert.deepEqual(stems.names, ['vocals_dubbed_de.wav'])
  assert.match(stems.headers.get('x-svc-notice')!, /no background/)
})

test('wrong requests are refused', withPrograms, async () => {
  const { world, film, bare } = await dubs()
  for (const kind of ['download', 'download-audio', 'download-mp3', 'export-segments', 'export-stems']) {
    assert.equal((await world.get(`/dub/${kind}/unknown`)).status, 404, kind)
    assert.equal((await world.get(`/dub/${kind}/${bare}`)).status, 400, kind)
  }
  assert.equal((await world.get(`/dub/download/${film}?include_tracks=xx,yy`)).status, 400)
  assert.equal((await world.get(`/dub/download/${film}?include_tracks=${'x,'.repeat(3000)}`)).status, 422)
  assert.equal((await world.get(`/dub/download-audio/${film}?lang=a/b`)).status, 400)
})

test('an export is a job that survives a kill, has all tracks and the name of the film and the language', withPrograms, async () => {
  const { world, film, sound } = await dubs()
  const start = (id: string, body: object) => world.post(`/dub/exports/${id}`, body)
  const choice = { what: 'film', lang: 'de', burn_subs: true }
  const { status, body } = await start(film, choice)
  assert.equal(status, 202, body.toString())
  const { task_id: task } = JSON.parse(body.toString())
  assert.equal((await start(film, choice)).json().task_id, task, 'sent twice, it is one job')
  await world.restart('SIGKILL')
  assert.equal((await eventsOfTask(world, task)).at(-1)!.type, 'done')
  const job = (await world.get(`/jobs/${task}`)).json()
  const { file } = JSON.parse(job.meta_json)
  assert.deepEqual([job.type, job.status, file.name], ['dub_export', 'done', 'Фильм %22один%22 – 映画 (German).mp4'])
  const made = await world.get(`/dub/exports/${film}/${task}`)
  assert.equal(made.body.length, file.bytes)
  assert.match(made.headers.get('content-disposition')!, /%20%28German%29\.mp4|\(German\)\.mp4/)
  const { sounds, subtitles } = await probed(made)
  assert.deepEqual(sounds, [
    ['deu', 1],
    ['spa', 0],
    ['eng', 0],
  ])
  assert.deepEqual(subtitles, [])
  const { task_id: mp3 } = (await start(sound, { what: 'mp3', lang: 'fr' })).json()
  assert.equal((await eventsOfTask(world, mp3)).at(-1)!.type, 'done')
  assert.equal(JSON.parse((await world.get(`/jobs/${mp3}`)).json().meta_json).file.name, 'talk (French).mp3')
  const { task_id: lines } = (await start(film, { what: 'lines', lang: 'de' })).json()
  assert.equal((await eventsOfTask(world, lines)).at(-1)!.type, 'done')
  assert.equal((await world.get(`/dub/exports/${film}/${lines}`)).headers.get('content-type'), 'application/zip')

  const { task_id: stopped } = (await start(film, { what: 'film', lang: 'es', burn_subs: true })).json()
  await world.post(`/tasks/cancel/${stopped}`)
  assert.equal((await eventsOfTask(world, stopped)).at(-1)!.type, 'cancelled')
  assert.equal((await world.get(`/dub/exports/${film}/${stopped}`)).status, 409)
  assert.equal((await world.get(`/dub/exports/${sound}/${task}`)).status, 404, 'it belongs to another dub')
  for (const [id, refused] of [
    [film, { what: 'film', lang: 'fr' }],
    [sound, { what: 'film', lang: 'fr' }],
    [film, { what: 'other', lang: 'de' }],
  ] as const)
    assert.ok([400, 422].includes((await start(id, refused)).status), JSON.stringify(refused))
})
