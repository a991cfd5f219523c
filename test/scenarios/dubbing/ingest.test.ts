// Ingesting films from the Internet, against the facts of the specification. A program plays yt-dlp, and nothing is fetched from a network.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { corpus, folder, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { type DubEvent, eventsOfTask, typesOf } from './dub-client.ts'

/** Films by the last part of the address; a page without one hangs until it is killed. */
const YTDLP = `for last; do :; done
while [ "$1" != -- ]; do
  [ "$1" = -o ] && out=$2
  [ "$1" = --cookies ] && { stat -c %a "$2" >> ${folder}/modes; cat "$2" > ${folder}/jar; }
  [ "$1" = --skip-download ] && subs=1
  shift
done
dir=$(dirname "$out")
echo "$https_proxy" > ${folder}/proxy
case "$last" in
  */fail) echo 'ERROR: This video is private /home/x' >&2; exit 1;;
  */hang) touch ${folder}/hangs; exec sleep 1000;;
esac
if [ -n "$subs" ]; then
  printf 'WEBVTT\\n\\n00:01.000 --> 00:02.500 align:start\\n<c>Hello</c> &amp; welcome\\n\\n' > "$dir/subs.en.vtt"
  echo 'no subtitles' > "$dir/subs.de.vtt"
  exit 0
fi
echo 'VS-PROGRESS 500 1000 NA 250.5 2'
if [ "$(basename "$last")" = apart ]; then cp ${folder}/mute.mp4 "$dir/film-1.mp4"; cp ${folder}/sound.mp3 "$dir/film-2.mp3"
else cp ${folder}/plain.mp4 "$dir/film-1.mp4"; fi
echo 'VS-TITLE "A film: part 1/2"'`
const COOKIES = '# Netscape HTTP Cookie File\n.example.com\tTRUE\t/\tTRUE\t0\tsession\tsecret-of-the-session\n'
const REAL = ['cp', 'dirname', 'basename', 'stat', 'cat', 'sleep', 'touch', 'ffmpeg', 'ffprobe']
const PATH = withPrograms.skip ? '' : programFolder(join(folder, 'bin'), { 'yt-dlp': YTDLP }, REAL)
const open = sharedWorld({ env: { PATH } })
type World = Awaited<ReturnType<typeof open>>
let world: World
before(async () => {
  if (withPrograms.skip) return
  for (const name of ['plain.mp4', 'mute.mp4', 'sound.mp3'] as const) await corpus(name)
  world = await open()
})
const ingest = (fields: object) => world.post('/dub/ingest-url', fields)
async function ingested(fields: object): Promise<{ id: string; events: DubEvent[] }> {
  const reply = await ingest(fields)
  assert.equal(reply.status, 202, reply.body.toString())
  const { job_id: id, task_id, filename } = reply.json()
  assert.deepEqual([task_id, filename], [`prep_${id}`, ''])
  return { id, events: await eventsOfTask(world, task_id) }
}
const downloads = () => readdirSync(join(world.dataDir, 'dub_store', 'ingest'))
const PREPARED = ['extract_start', 'extract_done', 'demucs_start', 'warning', 'demucs_done', 'scene_start', 'scene_done', 'ready']

test('a page becomes a dub with its subtitles, and its cookies are removed', withPrograms, async () => {
  const url = 'https://video.example/watch/film'
  const { id, events } = await ingested({ url, fetch_subs: true, sub_langs: ['en', 'de'], cookie_file: COOKIES })
  assert.deepEqual(typesOf(events), ['download_start', 'download_progress', 'download_done', ...PREPARED])
  const [start, progress, done] = events
  assert.equal(start!['url'], url)
  assert.deepEqual(progress, { type: 'download_progress', percent: 50, speed_bps: 250.5, eta_s: 2 })
  const size = readFileSync(join(folder, 'plain.mp4')).length
  const filename = 'A film part 1 2.mp4'
  assert.deepEqual(done, { type: 'download_done', title: filename, size, filename, youtube_subs: ['en'] })
  assert.deepEqual([events.at(-1)!['job_id'], events.at(-1)!['filename']], [id, filename])

  const [row] = (await world.get('/dub/history')).json()
  const data = JSON.parse(row.job_data)
  assert.deepEqual([row.id, data.input_type, data.youtube_subs], [id, 'video', { en: [{ start: 1, end: 2.5, text: 'Hello & welcome' }] }])
  assert.match(readFileSync(join(folder, 'proxy'), 'utf8'), /^http:\/\/studio:[0-9a-f]{32}@127\.0\.0\.1:\d+\n$/)
  assert.deepEqual([readFileSync(join(folder, 'modes'), 'utf8'), readFileSync(join(folder, 'jar'), 'utf8')], ['600\n600\n', COOKIES])
  assert.equal((await world.post(`/dub/qc/${id}`)).status, 400)
  assert.equal((await world.post('/dub/qc/unknown')).status, 404)
  assert.equal((await world.post(`/dub/qc/${id}?drift_threshold=2`)).status, 422)
  assert.deepEqual(downloads(), [])
  const job = (await world.get(`/jobs/prep_${id}`)).body.toString()
  assert.ok(JSON.parse(job).type === 'dub_ingest' && !job.includes('secret-of'))
  for (const name of ['studio.db', 'studio.db-wal']) {
    const path = join(world.dataDir, name)
    assert.equal(existsSync(path) && readFileSync(path).includes('secret-of-the-session'), false, name)
  }
})

test('picture and sound that a site has apart become one film', withPrograms, async () => {
  const { id, events } = await ingested({ url: 'https://video.example/apart' })
  assert.deepEqual(typesOf(events).slice(0, 4), ['download_start', 'download_progress', 'download_done', 'extract_start'])
  assert.deepEqual([events.at(-1)!.type, events.at(-1)!['filename']], ['ready', 'A film part 1 2.mkv'])
  assert.equal((await world.get(`/dub/thumb/${id}`)).status, 200)
})

test('what cannot be fetched ends with an error of the download, and leaves nothing behind', withPrograms, async () => {
  const rows = (await world.get('/dub/history')).json().length
  for (const [url, words] of [
    ['https://video.example/fail', /This video is private/],
    ['http://127.0.0.1:9/film.mp4', /does not belong to the Internet/],
    ['http://[::1]/film.mp4', /does not belong/],
    ['http://169.254.169.254/latest/film.mp4', /does not belong/],
  ] as const) {
    const { id, events } = await ingested({ url })
    assert.deepEqual(typesOf(events), ['download_start', 'error'], url)
    assert.equal(events[1]!['stage'], 'download')
    assert.match(events[1]!['error'], words)
    assert.ok(!events[1]!['error'].includes('/home'))
    assert.equal((await world.get(`/jobs/prep_${id}`)).json().status, 'failed')
  }
  assert.deepEqual([downloads(), (await world.get('/dub/history')).json().length], [[], rows])
})

test('an abort ends the program and removes the cookies', withPrograms, async () => {
  const { job_id: id } = (await ingest({ url: 'https://video.example/hang', job_id: 'hanging', cookie_file: COOKIES })).json()
  await eventually(() => existsSync(join(folder, 'hangs')))
  assert.equal((await ingest({ url: 'https://video.example/film', job_id: 'hanging' })).status, 409)
  assert.deepEqual((await world.post(`/dub/abort/${id}`)).json(), { aborted: true, had_active_procs: true })
  assert.deepEqual(typesOf(await eventsOfTask(world, `prep_${id}`)).at(-1), 'cancelled')
  await eventually(() => downloads().length === 0)
})

test('wrong requests are refused', withPrograms, async () => {
  const url = 'https://video.example/film'
  for (const [fields, status, words] of [
    [{ url: 'ftp://video.example/film' }, 400, /http/],
    [{ url: 'file:///etc/passwd' }, 400, /http/],
    [{ url: '--exec=id' }, 400, /http/],
    [{ url: 'https://user:secret@video.example/' }, 400, /no user/],
    [{ url, job_id: '../x' }, 400, /Invalid job id/],
    [{ url, cookie_file: 'session=1' }, 400, /Netscape/],
    [{ url, cookie_file: `${COOKIES}${'#'.repeat(1_000_000)}` }, 400, /1 MB/],
    [{ url, fetch_subs: true, sub_langs: ['en.*'] }, 422, null],
    [{}, 422, null],
  ] as const) {
    const reply = await ingest(fields)
    assert.equal(reply.status, status, `${JSON.stringify(fields).slice(0, 80)} ${reply.body}`)
    if (words) assert.match(reply.json().detail, words)
  }
  assert.deepEqual(downloads(), [])
})
