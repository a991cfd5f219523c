// Uploaded previews: names, sound, ranges, types, refusals, and their end.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { request } from '#test/support/world/http.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const skip = ['ffmpeg', 'ffprobe'].every((name) => findProgram(name, process.env['PATH']))
  ? false
  : 'ffmpeg is not on this machine; ./studio setup installs it'

const open = sharedWorld({ withoutAgent: true })

test('previews', { skip }, async (t) => {
  const files = temporaryFolder(t)
  const world = await open()
  const folder = join(world.dataDir, 'previews')
  const upload = (filename: string, bytes: Uint8Array<ArrayBuffer> | string) => {
    const data = new FormData()
    data.set('video', new Blob([bytes]), filename)
    return world.post('/preview/upload', data)
  }
  const film = join(files, 'film.mp4')
  const video = ['-f', 'lavfi', '-i', 'color=size=32x16:rate=5:duration=1', '-f', 'lavfi', '-i', 'sine=duration=1:sample_rate=48000']
  execFileSync('ffmpeg', ['-loglevel', 'error', ...video, '-c:v', 'mpeg4', '-c:a', 'aac', '-ac', '2', film])
  const bytes = new Uint8Array(readFileSync(film))

  await t.test('a video is kept, and its sound as mono WAV at 22,050 Hz', async () => {
    const reply = await upload('../My film.MP4', bytes)
    assert.equal(reply.status, 200)
    const { url, audioUrl, ...rest } = reply.json()
    assert.deepEqual(rest, { filename: 'My film.MP4', notice: null })
    assert.match(url, /^\/preview\/[0-9a-f]{12}\.mp4$/)
    assert.equal(audioUrl, url.replace('.mp4', '.wav'))
    const whole = await world.get(url)
    assert.deepEqual([whole.status, whole.headers.get('content-type'), whole.body.equals(bytes)], [200, 'video/mp4', true])
    const part = await world.send('GET', url, undefined, { range: 'bytes=10-19' })
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 10-19/${bytes.length}`])
    assert.deepEqual([(await world.send('HEAD', url)).status, (await world.post(url)).status], [200, 405])
    const { body: wav, headers } = await world.get(audioUrl)
    assert.equal(headers.get('content-type'), 'audio/wav')
    assert.deepEqual(
      [wav.toString('latin1', 0, 4), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt32LE(4), wav.readUInt32LE(40)],
      ['RIFF', 1, 22_050, wav.length - 8, wav.length - 44],
    )
    assert.ok(Math.abs((wav.length - 44) / 2 / 22_050 - 1) < 0.1)
  })

  await t.test('sound is its own preview; a file without sound has a notice', async () => {
    const sound = (await upload('take.flac', 'not checked')).json()
    assert.deepEqual([sound.audioUrl, sound.notice], [sound.url, null])
    const text = (await upload('text.mp4', 'This is no film.')).json()
    assert.equal(text.audioUrl, text.url)
    assert.match(text.notice, /^The sound was not extracted\. The file cannot be read: /)
    assert.ok(!text.notice.includes(world.dataDir))
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.new')),
      [],
    )
  })

  await t.test('an upload cannot become a page of this origin', async () => {
    for (const name of ['page.html', 'image.svg', 'script.js', 'x']) {
      const { url } = (await upload(name, '<script>alert(1)</script>')).json()
      assert.match(url, /^\/preview\/[0-9a-f]{12}\.bin$/)
      const { headers } = await world.get(url)
      assert.deepEqual([headers.get('content-type'), headers.get('x-content-type-options')], ['application/octet-stream', 'nosniff'])
    }
  })

  await t.test('names that lead elsewhere are 400, unknown ones 404', async () => {
    symlinkSync(join(world.dataDir, 'studio.db'), join(folder, 'link.mp4'))
    mkdirSync(join(folder, 'folder.mp4'))
    writeFileSync(join(folder, '.hidden.mp4'), 'x')
    for (const [name, status] of [
      ['..%2fstudio.db', 400],
      ['%2fetc%2fpasswd', 400],
      ['..%5cstudio.db', 400],
      ['.hidden.mp4', 400],
      ['a%00.mp4', 400],
      ['a%0d%0aX-Evil:1', 400],
      ['-x.mp4', 400],
      ['missing.mp4', 404],
      ['link.mp4', 404],
      ['folder.mp4', 404],
    ] as const) {
      const reply = await request(`${world.url}/preview/${name}`)
      assert.equal(reply.status, status, name)
      if (status === 400) assert.equal(reply.json().detail, 'Invalid preview filename')
    }
    assert.equal((await request(`${world.url}/preview/../studio.db`)).status, 404)
  })

  await t.test('a missing file, other sites and proxies are refused', async () => {
    const before = readdirSync(folder).length
    assert.equal((await world.post('/preview/upload', new FormData())).status, 422)
    const text = new FormData()
    text.set('video', 'a text')
    assert.equal((await world.post('/preview/upload', text)).status, 422)
    assert.equal((await world.post('/preview/upload', { video: 'x' })).status, 422)
    for (const [method, path] of [
      ['POST', '/preview/upload'],
      ['GET', '/preview/x.mp4'],
    ] as const) {
      const body = method === 'POST' ? text : undefined
      assert.equal((await world.send(method, path, body, { origin: 'https://other.example' })).status, 403)
      assert.equal((await world.send(method, path, body, { 'x-forwarded-for': '192.0.2.1' })).status, 401)
    }
    assert.equal(readdirSync(folder).length, before)
  })

  await t.test('an upload deletes the previews of yesterday', async () => {
    const { url } = (await upload('take.wav', 'x')).json()
    const yesterday = Date.now() / 1000 - 25 * 3600
    utimesSync(join(world.dataDir, url.replace('preview', 'previews')), yesterday, yesterday)
    await upload('take.wav', 'y')
    assert.equal((await world.get(url)).status, 404)
  })
})
