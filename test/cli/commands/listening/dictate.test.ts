// `dictate` through the real studio: a program of the test takes the place of the recorder, because test machines have no microphone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { holdSound } from '#cli/lib/sound/held-sound.ts'
import { dictated } from '#cli/lib/studio/dictation.ts'
import { spokenSamples } from '#test/support/audio/spoken.ts'
import { addressOf, jsonIn, REPOSITORY, studio } from '#test/support/world/cli.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld({ fixedPort: true, env: { PATH: '/nowhere' } })
const SAID = 'This is a test recording.'
const linux = { skip: process.platform === 'win32' && 'a script is the recorder' }

/** A recorder that records three seconds of speech, then silence until it is stopped. */
async function opened(t: TestContext, recorder = 'cat "$SOUND"; sleep 600') {
  const world = await open()
  const cwd = temporaryFolder(t)
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin/arecord'), `#!/bin/sh\n${recorder}\n`)
  chmodSync(join(cwd, 'bin/arecord'), 0o755)
  const samples = spokenSamples({ seconds: 3, rate: 16_000 })
  writeFileSync(
    join(cwd, 'speech.pcm'),
    Int16Array.from(samples, (one) => Math.round(one * 32_767)),
  )
  const env = { ...addressOf(world), SOUND: join(cwd, 'speech.pcm'), PATH: `${join(cwd, 'bin')}:/usr/bin:/bin` }
  const start = (...words: string[]) =>
    spawn(process.execPath, [join(REPOSITORY, 'cli/main.ts'), 'dictate', '--model', 'tone', ...words], {
      cwd,
      env: { ...process.env, ...env },
    })
  return { world, cwd, env, start }
}

/** Presses Enter after a moment of recording. */
async function ended(child: ReturnType<typeof spawn>) {
  const errors = readText(child.stderr!)
  const output = readText(child.stdout!)
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  setTimeout(() => child.stdin!.write('\n'), 4_000)
  return { code: await code, output: await output, errors: await errors }
}

test('what is said is printed, until Enter ends the recording', linux, async (t) => {
  const { start, cwd } = await opened(t)
  const shown = await ended(start())
  assert.deepEqual([shown.code, shown.output], [0, `${SAID}\n`], shown.errors)
  assert.match(shown.errors, /^Recording with arecord\. Press Enter to end\.\n/)
  assert.match(shown.errors, /test tone/, 'the substitute is named')
  const json = await ended(start('--json', '-o', 'note.txt'))
  const value = jsonIn(json.output)
  assert.deepEqual([value.text, value.utterances, value.engine], [SAID, [SAID], 'tone'], json.errors)
  assert.equal(readFileSync(join(cwd, 'note.txt'), 'utf8'), `${SAID}\n`)
})

test('what is said while the studio starts again is printed afterwards', linux, async (t) => {
  const { world, cwd, start } = await opened(t, 'cat "$SOUND"; while [ ! -e go ]; do sleep 0.1; done; cat "$SOUND"; touch said; sleep 600')
  const child = start()
  const printed: string[] = []
  child.stdout.on('data', (piece) => printed.push(String(piece)))
  const errors = readText(child.stderr)
  const ended = once(child, 'close')
  await eventually(() => printed.join('') === `${SAID}\n`)
  await world.studio.end()
  writeFileSync(join(cwd, 'go'), '')
  await eventually(() => existsSync(join(cwd, 'said')))
  await world.restart()
  await eventually(() => printed.join('') === `${SAID}\n${SAID}\n`)
  child.stdin.write('\n')
  assert.deepEqual(await ended, [0, null], await errors)
  assert.match(await errors, /The studio closed the connection\. Waiting for it to come back\./)
})

test('a minute of sound is held; what is older is counted', () => {
  const sound = holdSound(6)
  sound.begin(null)
  sound.push(Buffer.from([1, 2, 3, 4]))
  assert.deepEqual([...sound.take(9)], [1, 2, 3, 4])
  sound.push(Buffer.from([5, 6]))
  assert.equal(sound.after(2), 4)
  sound.begin(2)
  assert.deepEqual([[...sound.take(9)], sound.lost()], [[3, 4, 5, 6], 0])
  for (let at = 0; at < 3; at++) sound.push(Buffer.from([7, 8, 9]))
  sound.begin(2)
  assert.deepEqual([sound.lost(), [...sound.take(9)], sound.isAllSent()], [6, [8, 9, 7, 8, 9], true])
})

test('sound of another format that comes in pieces of any length loses no byte', () => {
  const sound = holdSound(6)
  const taken: number[] = []
  for (const piece of [[1], [2, 3, 4, 5, 6, 7], [8, 9, 10], [11, 12, 13, 14, 15, 16], [17]]) {
    sound.push(Buffer.from(piece))
    taken.push(...sound.take(9))
  }
  assert.deepEqual([taken, sound.lost()], [Array.from({ length: 17 }, (_, at) => at + 1), 0])
})

/** A studio that only answers dictations: `script` by the number of the connection, once all sound has arrived. */
async function fakeStudio(t: TestContext, script: (frame: (text: string) => void, socket: Duplex) => void) {
  let connections = 0
  const server = createServer((_, response) => response.end('{}'))
  server.on('upgrade', (request, socket: Duplex) => {
    connections++
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.write(`HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${key}\r\n\r\n`)
    let bytes = 0
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    const frame = (text: string) => {
      const content = Buffer.from(text)
      const length = content.length < 126 ? [content.length] : [126, content.length >> 8, content.length & 255]
      socket.write(Buffer.concat([Buffer.from([0x81, ...length]), content]))
    }
    socket.on('data', (piece: Buffer) => {
      const before = bytes
      bytes += piece.length
      // One frame of sound, and that of the end.
      if (before < SECOND.length + 9 + 8 && bytes >= SECOND.length + 9 + 8) script(frame, socket)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close().closeAllConnections())
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: String((server.address() as AddressInfo).port) }
  const sound = (async function* () {
    yield SECOND
  })()
  return { messages: dictated(env, { sound, rate: 16_000, query: {}, signal: t.signal }), connections: () => connections }
}
/** A second and 96 bytes: the studio rounds what it has used to hundredths. */
const SECOND = new Uint8Array(32_096)
const READY = JSON.stringify({ type: 'status', stage: 'ready', engine: 'tone', model: 'tone' })
const FINAL = { type: 'final', text: 'Said.', segments: [], language: 'en', duration_s: 1, transcription_time_s: 0, engine: 'tone' }

test('a dictation whose sound was used does not wait for a studio that stops', async (t) => {
  const { messages, connections } = await fakeStudio(t, (frame, socket) => {
    frame(READY)
    frame(JSON.stringify({ ...FINAL, used_s: 1 }))
    socket.end(Buffer.from([0x88, 2, 1012 >> 8, 1012 & 255]))
  })
  const types: string[] = []
  for await (const { type } of messages) types.push(type)
  assert.deepEqual([types, connections()], [['status', 'final'], 1])
})

test('a studio that is killed before it has used the sound is reported', async (t) => {
  const { messages } = await fakeStudio(t, (frame, socket) => {
    frame(READY)
    frame(JSON.stringify({ ...FINAL, used_s: 0.2 }))
    socket.end()
  })
  await assert.rejects(
    async () => {
      for await (const _ of messages);
    },
    { code: 'NOT_READY', message: 'The dictation ended: the connection to the studio was lost.' },
  )
})

test('refusals say what to do', linux, async (t) => {
  const { env, cwd, start } = await opened(t, 'echo "no such device" >&2; exit 1')
  writeFileSync(join(cwd, 'kept.txt'), 'Mine.')
  const dictate = (words: string[], more: Record<string, string> = {}) => studio(['dictate', ...words], { env: { ...env, ...more }, cwd })
  for (const [words, more, code, message] of [
    [['talk.wav'], {}, 2, /Write dictate, or dictate - for sound on standard input\./],
    [['-o', 'kept.txt'], {}, 1, /kept\.txt exists already/],
    [[], { PATH: '/nowhere' }, 5, /No program that records is on PATH \(parec, .*\)\. Install one, or send sound to dictate -/],
    [[], { STUDIO_PORT: '1' }, 3, /^studio: No studio is running at /],
  ] as const) {
    const refused = await dictate([...words], more)
    assert.equal(refused.code, code, `${words.join(' ')}: ${refused.errors}`)
    assert.match(refused.errors, message)
  }
  assert.equal(readFileSync(join(cwd, 'kept.txt'), 'utf8'), 'Mine.')
  const failed = await ended(start())
  assert.deepEqual([failed.code, failed.output], [1, ''])
  assert.match(failed.errors, /arecord ended \(no such device\)\. Check the microphone/)
})
