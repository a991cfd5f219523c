// The process that recognises is killed while the client of a stream reads the words of its first windows.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantedWhisper, stamp } from '#test/agent/engine/runtimes/transformers/planted.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { form } from '#test/support/world/http.ts'
import { allEnded, hostsOf, isAlive } from '#test/support/world/tasks.ts'
import { openWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const SAID = 'She bought some bread and milk at the store. We will meet again next Monday morning.'
const MODEL = 'faster-whisper'
type StreamEvent = { readonly type?: string; readonly delta?: string; readonly text?: string; readonly error?: Record<string, unknown> }

/** The events of a transcription as they arrive, to the end of the answer. */
async function* streamed(world: World, wav: Buffer): AsyncGenerator<StreamEvent> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ model: MODEL, stream: 'true' })) body.set(name, value)
  body.set('file', new Blob([new Uint8Array(wav)]), 'long.wav')
  const response = await fetch(`${world.url}/v1/audio/transcriptions`, { method: 'POST', body })
  assert.equal(response.status, 200)
  let rest = ''
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop()!
    for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice('data: '.length))
  }
  assert.equal(rest, '', 'the answer ends after an event')
}
const textOf = (events: readonly StreamEvent[]) => events.map(({ delta = '' }) => delta).join('')

test('a stream whose engine host is killed goes on with the next one, or ends with an error', async (t) => {
  const dataDir = temporaryFolder(t)
  const chain = [stamp(0), 'Ġhello', 'Ġworld', stamp(14), stamp(14.02), 'Ġagain', stamp(29.9), '<|endoftext|>']
  const planted = [...plantedWhisper(t, { chain })].map(([name, path]): [string, Buffer] => [name, readFileSync(path)])
  placeModel(join(dataDir, 'local-agent/models'), MODEL, 'tiny', Object.fromEntries(planted))
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir } })
  const input = Array.from({ length: 16 }, () => SAID).join(' ')
  const wav = Buffer.from((await world.post('/v1/audio/speech', { input, voice: 'rms', response_format: 'wav' })).body)
  const whole = (await world.post('/v1/audio/transcriptions', form({ file: wav, model: MODEL }))).json().text as string
  const release = slowHosts(t, world.studio)
  const kill = () => {
    for (const pid of hostsOf(world.studio)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  }

  await t.test('words that were sent are not sent again, and none are missing', async () => {
    const events: StreamEvent[] = []
    const before = hostsOf(world.studio).length
    for await (const event of streamed(world, wav)) {
      if (events.length === 0) kill()
      events.push(event)
    }
    assert.equal(hostsOf(world.studio).length, before + 1, 'another host has taken over')
    assert.ok(textOf(events.slice(0, 1)).length < whole.length / 2, 'the host was killed in the middle')
    assert.deepEqual([textOf(events), events.at(-1)!.text, events.at(-1)!.type], [whole, whole, 'transcript.text.done'])
  })

  await t.test('a host that is killed each time ends the stream with an error that says so', async () => {
    const events: StreamEvent[] = []
    let killing: NodeJS.Timeout | undefined
    try {
      for await (const event of streamed(world, wav)) {
        // From the first words on, each new host as soon as it has begun.
        killing ??= setInterval(kill, 20)
        events.push(event)
      }
    } finally {
      clearInterval(killing)
    }
    const { error, type } = events.at(-1)!
    assert.equal(type, undefined, JSON.stringify(events))
    assert.match(String(error?.['message']), /3 attempts .* failed.*engine process of whisper died/)
    assert.ok(events.length > 1 && whole.startsWith(textOf(events)), 'what was sent before is the start of the text')
  })
  release()
  await allEnded(world)
  // Hosts that die again and again are not asked for a minute, unless a person wants it.
  assert.equal((await world.post('/workers/local/resume')).status, 200)

  const again = await world.post('/v1/audio/transcriptions', form({ file: wav, model: MODEL }))
  assert.deepEqual([again.status, again.json().text ?? again.json()], [200, whole], 'the engine works again')
})
