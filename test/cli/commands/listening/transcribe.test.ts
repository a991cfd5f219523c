import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { spokenText } from '#cli/views/transcript-view.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { addressOf, REPOSITORY, studio } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

/** The recogniser of tests; without ffmpeg. */
const open = sharedWorld({ fixedPort: true, env: { PATH: '/nowhere' } })
const SAID = 'this is a test recording'
const NOTICE = /^studio: .*test tone/m
const silence = (seconds: number) => {
  const samples = seconds * 16_000
  return Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), Buffer.alloc(samples * 2)])
}

async function opened(t: TestContext) {
  const world = await open()
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, 'talk.wav'), silence(2))
  const transcribe = (...words: string[]) => studio(['transcribe', '--engine', 'tone', ...words], { env: addressOf(world), cwd })
  return { world, cwd, transcribe, read: (name: string) => readFileSync(join(cwd, name), 'utf8') }
}

test('a recording is written to standard output, or to a file in the format of its extension', async (t) => {
  const { cwd, transcribe, read } = await opened(t)
  const shown = await transcribe('talk.wav')
  assert.deepEqual([shown.code, shown.output], [0, `${SAID}\n`], shown.errors)
  assert.match(shown.errors, NOTICE)
  const quiet = await transcribe('talk.wav', '--quiet', '--language', 'German')
  assert.deepEqual([quiet.code, quiet.output, quiet.errors], [0, `${SAID}\n`, ''])
  for (const [name, text] of [
    ['talk.txt', `${SAID}\n`],
    ['talk.srt', `1\n00:00:00,000 --> 00:00:02,000\n${SAID}\n`],
    ['talk.vtt', `WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n${SAID}\n`],
  ] as const) {
    const made = await transcribe('talk.wav', '-o', name)
    assert.deepEqual([made.code, made.output], [0, `${name}, ${text.length} B\n`], made.errors)
    assert.equal(read(name), text)
  }
  const json = JSON.parse((await transcribe('talk.wav', '--format', 'json', '-o', '-')).output)
  assert.deepEqual([json.text, json.duration, json.segments.length], [SAID, 2, 1])
  assert.deepEqual(readdirSync(cwd).sort(), ['talk.srt', 'talk.txt', 'talk.vtt', 'talk.wav'])
})

test('a recording is read from a pipe', async (t) => {
  const { world, cwd } = await opened(t)
  const child = spawn(
    'sh',
    ['-c', `cat talk.wav | "$0" ${join(REPOSITORY, 'cli/main.ts')} transcribe - --engine tone > talk.txt`, process.execPath],
    {
      cwd,
      env: { ...process.env, ...addressOf(world) },
    },
  )
  const [code] = await once(child, 'close')
  assert.deepEqual([code, readFileSync(join(cwd, 'talk.txt'), 'utf8')], [0, `${SAID}\n`])
})

test('what cannot be read or written is refused before anything is sent', async (t) => {
  const { world, cwd, transcribe, read } = await opened(t)
  writeFileSync(join(cwd, 'empty.wav'), '')
  writeFileSync(join(cwd, 'kept.txt'), 'Mine.')
  const jobs = async () => (await world.get('/jobs')).json().length
  const before = await jobs()
  for (const [words, code, message] of [
    [[], 2, /Name one recording: transcribe talk\.mp3/],
    [['a', 'b'], 2, /Name one recording/],
    [['none.wav'], 1, /There is no file .*none\.wav that can be read\./],
    [['.'], 1, /There is no file .* that can be read\./],
    [['empty.wav'], 1, /empty\.wav is empty\./],
    [['talk.wav', '-o', 'kept.txt'], 1, /kept\.txt exists already\. Name another file, or add --force to replace it\./],
    [['talk.wav', '-o', 'talk'], 2, /names no format of text\. Choose one of txt, srt, vtt, json with --format\./],
    [['talk.wav', '--format', 'doc'], 2, /The format 'doc' is not supported\. Choose one of txt/],
    [['talk.wav', '--language', 'Elvish'], 2, /Unknown language 'Elvish'/],
    [['talk.wav', '--engine', 'no-such'], 5, /no-such/],
    [['talk.wav', '--speakers'], 1, /speaker/i],
  ] as const) {
    const refused = await transcribe(...words)
    assert.deepEqual([refused.code, refused.output], [code, ''], words.join(' '))
    assert.match(refused.errors, message)
  }
  assert.deepEqual([await jobs(), read('kept.txt')], [before, 'Mine.'])
  const forced = await transcribe('talk.wav', '-o', 'kept.txt', '--force')
  assert.deepEqual([forced.code, read('kept.txt')], [0, `${SAID}\n`], forced.errors)
})

test('a recording that is none fails with a reason, and leaves no file', async (t) => {
  const { cwd, transcribe } = await opened(t)
  writeFileSync(join(cwd, 'talk.wav'), 'This is a text.')
  const failed = await transcribe('talk.wav', '-o', 'talk.txt')
  assert.deepEqual([failed.code, failed.output, readdirSync(cwd)], [1, '', ['talk.wav']])
  assert.match(failed.errors, /^studio: .{20,}\.\n$/)
})

test('Ctrl-C cancels the job of a transcription, and a restart of the studio does not', async (t) => {
  const { world, cwd } = await opened(t)
  writeFileSync(join(cwd, 'long.wav'), silence(4_000))
  const start = () => startProgram(t, ['cli/main.ts', 'transcribe', join(cwd, 'long.wav'), '--engine', 'tone'], addressOf(world))
  // Progress comes some seconds after the command has received the id of its job.
  const running = async () =>
    ((await world.get('/jobs?status=active&type=transcription')).json() as { id: string; progress: number | null }[]).filter(
      ({ progress }) => progress !== null && progress > 0,
    )
  const first = start()
  const [job] = await eventually(async () => {
    const found = await running()
    return found.length > 0 && found
  })
  await first.end('SIGINT')
  await eventually(async () => (await world.get(`/jobs/${job!.id}`)).json().status === 'cancelled')

  const second = start()
  await eventually(async () => (await running()).length > 0)
  await world.restart('SIGKILL')
  assert.equal(await second.ended, 0, second.output())
  assert.match(second.output(), new RegExp(`(?:${SAID} ?){4,}`))
})

test('an upload that is cut off is sent again', async (t) => {
  const { world, cwd } = await opened(t)
  writeFileSync(join(cwd, 'minute.wav'), silence(60))
  const network = await openNetwork(t, new URL(world.url).host)
  network.pace(1_000_000)
  const env = { ...addressOf(world), STUDIO_PORT: network.address.split(':')[1]! }
  const program = startProgram(t, ['cli/main.ts', 'transcribe', join(cwd, 'minute.wav'), '--engine', 'tone'], env)
  await eventually(() => network.passed().up > 500_000)
  network.pace(Number.POSITIVE_INFINITY)
  network.cut()
  assert.equal(await program.ended, 0, program.output())
  assert.match(program.output(), /^studio: The upload was cut off\. Sending the file again\.\n/)
  assert.match(program.output(), new RegExp(SAID))
})

test('each turn begins with its speaker, and each subtitle does', () => {
  const segment = (start: number, speaker: string, text: string) => ({ start, end: start + 1, speaker, text })
  const answer = { segments: [segment(0, 'A', ' Good morning. '), segment(1, 'A', 'Tea?'), segment(2, 'B', ' '), segment(3, 'B', 'Yes.')] }
  assert.equal(spokenText(answer, 'txt'), 'A: Good morning. Tea?\n\nB: Yes.')
  assert.match(spokenText(answer, 'srt'), /00:00:01,000\nA: Good morning\.\n\n2\n/)
  assert.match(spokenText(answer, 'vtt'), /^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.000\nA: Good morning\.\n/)
  assert.throws(() => spokenText({ segments: [{ start: 0, end: 1, text: 'x' }] }, 'txt'))
})
