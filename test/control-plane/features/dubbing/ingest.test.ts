// The rules of ingesting films, and the installed yt-dlp with our arguments behind our proxy. The server of this machine plays a site.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { captionsOf } from '#control-plane/features/dubbing/film/ingest/captions.rules.ts'
import {
  fileNameOf,
  filmUrl,
  ingestErrorStage,
  isMediaFile,
  pageLine,
  requireCookies,
} from '#control-plane/features/dubbing/film/ingest/ingest.rules.ts'
import { createIngestFolders } from '#control-plane/features/dubbing/film/ingest/ingest-folders.ts'
import { createPageDownload } from '#control-plane/features/dubbing/film/ingest/page-download.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const path = process.env['PATH'] ?? ''
const ytdlp = findProgram('yt-dlp', path)
const withProgram = { skip: ytdlp ? false : 'yt-dlp is not on PATH' }
const never = new AbortController().signal
const COOKIES = '# Netscape HTTP Cookie File\noutside.example\tFALSE\t/\tFALSE\t4102444800\tsession\tabc\n'
const coded = (code: string) => (error: unknown) => error instanceof Failure && error.code === code

test('addresses, names and lines of the program are read with limits', () => {
  assert.equal(filmUrl(' https://a.example/b c '), 'https://a.example/b%20c')
  for (const text of [
    '',
    'a.example',
    'file:///x',
    'javascript:1',
    'https://a@b.example/',
    `https://a.example/${'x'.repeat(2048)}`,
    '--exec=id',
  ])
    assert.throws(() => filmUrl(text), coded('BAD_REQUEST'), text)
  assert.deepEqual(['https://a.example/x.MP4?a=b', 'https://a.example/watch?v=x.mp4'].map(isMediaFile), [true, false])
  const names = ['../../etc/passwd', '...', 'a\u0000b', 'x'.repeat(400)].map((title) => fileNameOf(title, '.mp4'))
  assert.deepEqual(names, ['etc passwd.mp4', 'film.mp4', 'a b.mp4', `${'x'.repeat(200)}.mp4`])
  assert.deepEqual(pageLine('VS-PROGRESS 5 10 NA NA NA'), { progress: { percent: 50, speed_bps: null, eta_s: null } })
  assert.deepEqual(pageLine('VS-PROGRESS 5 NA NA 1 2'), { progress: { percent: null, speed_bps: 1, eta_s: 2 } })
  assert.deepEqual(
    [pageLine('VS-TITLE "a"'), pageLine('VS-TITLE {'), pageLine('VS-TITLE 1'), pageLine('else')],
    [{ title: 'a' }, null, null, null],
  )
  const stages = (['VIDEO_FETCH_FAILED', 'DOWNLOAD_REFUSED', 'HOST_NOT_FOUND', 'STORAGE_FULL', 'BAD_REQUEST'] as const).map((code) =>
    ingestErrorStage({ code, message: '' }),
  )
  assert.deepEqual(stages, ['download', 'download', 'download', 'ingest', 'extract'])
})

test('cookies need HTTPS or this machine, and the form of an export', () => {
  const send = (isLocal: boolean, headers: Record<string, string> = {}, text = COOKIES) => requireCookies(text, { isLocal, headers })
  send(true)
  send(false, { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' })
  for (const headers of [{}, { 'x-forwarded-proto': 'http' }] as Record<string, string>[])
    assert.throws(() => send(false, headers), coded('FORBIDDEN'))
  for (const text of ['', 'a=b', ` ${COOKIES}`, `${COOKIES}${'#'.repeat(1_000_000)}`])
    assert.throws(() => send(true, {}, text), coded('BAD_REQUEST'))
})

test('captions of a page are read in order, without overlaps and repeated lines', async () => {
  const file = `\uFEFFWEBVTT\r\nKind: captions\r\n\r\n00:00:01.000 --> 00:00:03.000 align:start\r\nHello <00:00:02.000><c>there</c>\r\n
00:02.500 --> 00:04.000\nHello there\nhow &amp; why\n\n5\n00:00:04,000 --> 00:00:05,5\nlast\n\nNOTE 00:01 --> x\n\n00:09.000 --> 00:08.000\nbackwards\n`
  assert.deepEqual(await captionsOf(Buffer.from(file), 'en'), [
    { start_us: 1_000_000, end_us: 3_000_000, text: 'Hello there' },
    { start_us: 3_000_000, end_us: 4_000_000, text: 'how & why' },
    { start_us: 4_000_000, end_us: 5_500_000, text: 'last' },
  ])
  assert.deepEqual([await captionsOf(Buffer.from(''), 'en'), await captionsOf(Buffer.from('x'.repeat(2_000_001)), 'en')], [[], []])
})

test('folders of downloads that nothing works on are swept', async (t) => {
  const folders = createIngestFolders(temporaryFolder(t))
  const [left, busy] = [await folders.open('left', 'a1'), await folders.open('b.usy', 'b2')]
  for (const { home } of [left, busy]) utimesSync(join(home, '..'), 1, 1)
  const fresh = await folders.open('fresh', 'c3')
  await folders.sweep(60_000, (dub) => dub === 'b.usy')
  assert.deepEqual(
    [left, busy, fresh].map(({ home }) => existsSync(home)),
    [false, true, true],
  )
})

test('the installed yt-dlp fetches a film through the proxy, with cookies and our arguments', withProgram, async (t) => {
  const seen: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    seen.push(`${url} ${headers.cookie ?? '-'}`)
    if (url === '/inside.mp4') return void response.writeHead(302, { location: 'http://127.0.0.1:9999/x.mp4' }).end()
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 9, connection: 'close' }).end('the film!')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const network = { resolve: async () => [{ address: '127.0.0.2', family: 4 }], isAllowed: (address: string) => address === '127.0.0.2' }
  const { port } = server.address() as AddressInfo
  // The name leads to another address of this machine, so that the program cannot reach the server without the proxy.
  const site = createServer((asked, response) => server.emit('request', asked, response)).listen(port, '127.0.0.2')
  await once(site, 'listening')
  t.after(() => site.close())

  const folders = createIngestFolders(temporaryFolder(t))
  const folder = await folders.open('dub', 'run')
  await folders.keepCookies(folder, COOKIES)
  const pages = createPageDownload({ program: () => ytdlp, path, clock, random })
  const page = { url: `http://outside.example:${port}/my-film.mp4`, folder, hasCookies: true }
  const states: object[] = []
  const outside = { network, mostBytes: 1e6 }
  const { paths, title } = await pages.film(page, outside, never, (state) => void states.push(state))
  assert.deepEqual([paths.map((one) => readFileSync(one, 'utf8')), title], [['the film!'], 'my-film'])
  assert.ok(seen.length > 0 && seen.every((one) => one === '/my-film.mp4 session=abc'), seen.join())
  assert.ok(states.length > 0)
  assert.equal((await pages.subtitles(page, ['en'], network, never)).size, 0)
  await assert.rejects(
    pages.film({ ...page, url: `http://outside.example:${port}/inside.mp4` }, outside, never, () => {}),
    (error: Failure) => {
      assert.deepEqual([error.code, /127\.0\.0\.1 has an address/.test(error.message)], ['DOWNLOAD_REFUSED', true], error.message)
      return true
    },
  )
})

/** A page whose program is this shell script. `$films`: where its films belong. */
async function openScript(t: TestContext, body: string) {
  const folder = temporaryFolder(t)
  const program = join(folder, 'yt-dlp')
  writeFileSync(program, `#!/bin/sh\nfilms="$HOME/../films"\n${body}\n`, { mode: 0o755 })
  const at = await createIngestFolders(folder).open('dub', 'run')
  const pages = createPageDownload({ program: () => program, path, clock, random })
  const network = { resolve: async () => [], isAllowed: () => false }
  const page = { url: 'https://video.example/film', folder: at, hasCookies: false }
  const fetch = (signal = never) => pages.film(page, { network, mostBytes: 100_000 }, signal, () => {})
  return { home: at.home, fetch }
}

test('only regular files with our names are taken from the program, within the limit of all that it writes', async (t) => {
  for (const [body, words] of [
    ['ln -s /etc/passwd "$films/film-1.mp4"', /wrote no film/],
    ['mkdir "$films/film-1.mp4"', /wrote no film/],
    ['mkfifo "$films/film-1.mp4"', /wrote no film/],
    ['echo x > "$films/film-1.mp4.exe.x"; echo x > "$films/../film-1.mp4"', /wrote no film/],
    ['for n in 1 2 3; do echo x > "$films/film-$n.mp4"; done', /wrote no film/],
    ['echo x > "$films/film-1.mp4"; head -c 200000 /dev/zero > "$HOME/rest"', /needs more than 100000 bytes/],
    ['head -c 200000 /dev/zero > "$films/film-1.mp4"; exec sleep 1000', /needs more than 100000 bytes/],
    ['exec head -c 300000000 /dev/zero', /printed more than/],
  ] as const) {
    const { fetch } = await openScript(t, body)
    await assert.rejects(fetch(), (error: Failure) => {
      assert.deepEqual([error.code, words.test(error.message)], ['VIDEO_FETCH_FAILED', true], `${body}: ${error.message}`)
      return true
    })
  }
})

test('a program that ignores SIGTERM ends with its children when the download is stopped', async (t) => {
  const { home, fetch } = await openScript(t, `trap '' TERM\nsleep 1000 &\necho $$ $! > pids.new; mv pids.new pids; wait; sleep 1000`)
  const leave = new AbortController()
  const settled = assert.rejects(fetch(leave.signal), /left/)
  await eventually(() => existsSync(join(home, 'pids')))
  leave.abort(new Error('left'))
  await settled
  for (const pid of readFileSync(join(home, 'pids'), 'utf8').trim().split(' ')) await eventually(() => isGone(Number(pid)))
})

function isGone(pid: number): boolean {
  try {
    // A dead child that no parent has waited for is a zombie.
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}
