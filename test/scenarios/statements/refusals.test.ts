// A refusal is no error in the log, and a fault inside is never blamed on the request.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { form } from '#test/support/world/http.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { openWorld, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const bare = sharedWorld({ withoutAgent: true, env: { PATH: '/nowhere' } })
const WAV = Buffer.from(spokenWav({ seconds: 1, rate: 44_100, channels: 2 }))
const wav = () => form({ file: WAV })

const REFUSED: readonly (readonly [status: number, path: string, body: () => unknown])[] = [
  [503, '/glossary/one/auto-extract', () => ({ target_lang: 'es', segments: [{ text: 'A line.' }] })],
  [503, '/archetypes/ml_ru_companion/use', () => ({})],
  [501, '/stories/encode', wav],
  [503, '/v1/audio/speech', () => ({ model: 'tone', input: 'Hello.' })],
  [503, '/dub/translate', () => ({ segments: [{ id: '0', text: 'Hello.' }], target_lang: 'es', provider: 'openai' })],
]

test('a request for something that is not set up is refused with a hint, and is no error in the log', async () => {
  const world = await bare()
  for (const [status, path, body] of REFUSED) {
    const reply = await world.post(path, body(), AbortSignal.timeout(60_000)).catch((error: Error) => error)
    if (reply instanceof Error) continue // it waits for its machine
    assert.ok([status, 400, 404, 409].includes(reply.status), `${path}: ${reply.status} ${reply.body}`)
  }
  const errors = world.studio.lines().filter(({ level }) => level === 'error' || level === 50)
  assert.deepEqual(errors, [])
  assert.ok(world.studio.output().includes('a request was refused'))
})

test('a program that cannot run is an error in the log with its reason, and the file is not blamed', async (t) => {
  const broken = 'echo "ffmpeg: error while loading shared libraries: libavdevice.so.59: cannot open shared object file" >&2; exit 127'
  const programs = programFolder(join(temporaryFolder(t), 'bin'), { ffmpeg: broken, ffprobe: broken }, ['sh', 'cat'])
  const world = await openWorld(t, { withoutAgent: true, env: { PATH: programs } })
  const jpeg = Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AKn//2Q==',
    'base64',
  )
  const { id } = (
    await world.post(
      '/profiles',
      form({ name: 'Ada', ref_audio: Buffer.from(spokenWav({ seconds: 4, rate: 24_000, channels: 1 })), ref_text: 'Hello.' }),
    )
  ).json()
  const sent: readonly (readonly [string, string, FormData])[] = [
    ['POST', '/stories/encode', wav()],
    ['PUT', `/profiles/${id}/image`, form({ image: jpeg })],
  ]
  for (const [method, path, body] of sent) {
    const before = world.studio.output().length
    const reply = await world.send(method, path, body)
    const { detail } = reply.json()
    if (reply.status === 404 || reply.status === 405) assert.fail(`${path}: ${reply.body}`)
    assert.equal(reply.status, 500, `${path}: ${reply.status} ${reply.body}`)
    assert.match(detail, /could not run\. The file was not examined\./)
    assert.doesNotMatch(detail, /damaged|cannot read|cannot be read/)
    assert.match(world.studio.output().slice(before), /libavdevice\.so\.59/)
  }
})
