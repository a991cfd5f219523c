import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { voiceNamed } from '#cli/lib/names/voices.ts'
import { runCli } from '#cli/run.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { addressOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

/** Nothing that encodes. */
const open = sharedWorld({ env: { STUDIO_TTS_BACKEND: 'tone', PATH: '/nowhere' } })
type Tasks = { readonly tasks: readonly { readonly task_id: string; readonly state: string }[] }

/** Two engines, a name of the public API and a profile. */
const named = (id: string) => ({ id, name: id, language: 'en' })
const VOICES = {
  voices: [
    { voice_id: 'nova', name: 'Nova', type: 'openai_alias' },
    { voice_id: 'p1', name: 'Grandma', type: 'profile' },
  ],
  engines: [
    { id: 'one', display_name: 'One', voices: [named('slt'), named('kal')] },
    { id: 'many', display_name: 'Many', voices: Array.from({ length: 100 }, (_, at) => named(`voice-${at}`)) },
  ],
}

test('a voice is found by its name in any case, and a profile by its name', () => {
  const found = ['SLT', 'nova', 'Nova', 'grandma', 'p1', 'default'].map((name) => voiceNamed(name, 'one', VOICES))
  assert.deepEqual(found, ['slt', 'nova', 'nova', 'p1', 'p1', 'default'])
  assert.equal(voiceNamed('voice-7', 'svc-engine', VOICES), 'voice-7', 'another engine may answer for it')
  const refusal = (name: string, engine: string, message: RegExp) =>
    assert.throws(() => voiceNamed(name, engine, VOICES), { code: 'NOT_FOUND', message })
  refusal('voice-7', 'one', /^voice-7 is a voice of Many\. Add --engine many to use it\.$/)
  refusal('voice-777', 'many', /^There is no voice voice-777 for many\. The nearest are: voice-7\d?, \S+, \S+\. Without --voice/)
  refusal('x', 'none', /The voices are: Grandma\./)
})

test('what cannot be spoken or written is refused before anything is generated', async (t) => {
  const world = await open()
  const cwd = temporaryFolder(t)
  const say = (...words: string[]) => studio(['say', ...words], { env: addressOf(world), cwd })
  const count = async () => ((await world.get('/workers/tasks?limit=200&always=true')).json() as Tasks).tasks.length
  const before = await count()
  const unknown = await say('x', '-o', 'x.wav', '--voice', 'noname')
  assert.equal(unknown.code, 5)
  assert.match(
    unknown.errors,
    /^studio: There is no voice noname for tone\. The voices are: tone\b.*\. Without --voice the default voice is used\.\n$/,
  )
  assert.match(
    (await say('x', '-o', 'no/such/x.mp3')).errors,
    /^studio: The folder .*\/no\/such does not exist\. Create it, or choose another file\.\n$/,
  )
  assert.match((await say('x', '-o', '.', '--format', 'mp3')).errors, /is a folder\. Name a file in it\.\n$/)
  const refused = await say('x', '-o', 'x.wav', '--engine', 'no-such-engine')
  assert.equal(refused.code, 5)
  assert.match(refused.errors, /no-such-engine/)
  assert.deepEqual([await count(), readdirSync(cwd)], [before, []])
})

test('a text in SSML is spoken as it says', async (t) => {
  const world = await open()
  const cwd = temporaryFolder(t)
  const millisecondsOf = async (...words: string[]) => {
    const { code, errors } = await studio(['say', ...words, '-o', 'a.wav', '--force'], { env: addressOf(world), cwd })
    assert.equal(code, 0, errors)
    const { samples, sampleRate } = parseWav(readFileSync(join(cwd, 'a.wav')))
    return (1000 * samples.length) / sampleRate
  }
  const plain = await millisecondsOf('Aaaabbbb')
  assert.equal(await millisecondsOf('<speak>Aaaa<break time="500ms"/>bbbb</speak>'), plain + 500)
  assert.equal(await millisecondsOf('--ssml', 'Aaaa<break time="500ms"/>bbbb'), plain + 500)
})

test('speech is written to a file with its size, or to a pipe without -o, and notices go to standard error', async (t) => {
  const world = await open()
  const cwd = temporaryFolder(t)
  const say = (words: string[], input?: string) =>
    studio(['say', ...words], { env: addressOf(world), cwd, ...(input !== undefined && { input }) })
  const file = await say(['good', 'morning', '-o', 'morning.mp3', '--speed', '2', '--voice', 'TONE'])
  const bytes = readFileSync(join(cwd, 'morning.mp3'))
  assert.deepEqual([file.code, file.output], [0, `morning.mp3, ${Math.ceil(bytes.length / 1000)} kB\n`])
  assert.equal(file.errors, 'studio: A test tone, not speech.\n')
  assert.match(bytes.subarray(0, 3).toString('latin1'), /^ID3|^\u00ff/)
  const other = await say(['good', 'morning', '-o', 'morning.flac'])
  assert.match(other.output, /^morning\.wav, \d+ kB\n$/)
  assert.match(
    other.errors,
    /^studio: A test tone, not speech\. There is no ffmpeg on this machine to make flac, so WAV was sent instead\.\n$/,
  )
  assert.equal(readFileSync(join(cwd, 'morning.wav')).subarray(0, 4).toString(), 'RIFF')
  assert.deepEqual(readdirSync(cwd).sort(), ['morning.mp3', 'morning.wav'])
  writeFileSync(join(cwd, 'morning.wav'), 'Mine.')
  // The second names a file that would become the first.
  for (const name of ['morning.wav', 'morning.flac']) {
    const taken = await say(['good', 'morning', '-o', name])
    assert.equal(taken.code, 1)
    assert.match(taken.errors, /^studio: .*morning\.wav exists already\. Name another file, or add --force to replace it\.\n$/)
    assert.equal(readFileSync(join(cwd, 'morning.wav'), 'utf8'), 'Mine.')
  }
  assert.equal((await say(['good', 'morning', '-o', 'morning.flac', '--force'])).code, 0)
  assert.equal(readFileSync(join(cwd, 'morning.wav')).subarray(0, 4).toString(), 'RIFF')
  assert.deepEqual(readdirSync(cwd).sort(), ['morning.mp3', 'morning.wav'])

  for (const words of [['-'], ['-', '-o', '-']]) {
    const { code, output, errors } = await say(words, 'from a pipe')
    assert.deepEqual([code, output.slice(0, 4), errors], [0, 'RIFF', 'studio: A test tone, not speech.\n'])
  }
  const mp3 = await say(['hello there', '--format', 'mp3', '--quiet'])
  assert.deepEqual([mp3.code, /^ID3|^.{0,2}\ufffd/.test(mp3.output.slice(0, 4)), mp3.errors], [0, true, ''])
  const json = await say(['hello there', '-o', 'json.mp3', '--json'])
  const { path, format } = jsonIn(json.output)
  assert.deepEqual([path, format], [join(cwd, 'json.mp3'), 'mp3'])
  assert.match((await say(['hello there', '--json'])).output, /^\{"ok":false,.*-o FILE/)
})

test('speech without a file is played on a terminal, by the first player on PATH', async (t) => {
  const world = await open()
  const cwd = temporaryFolder(t)
  const played = join(cwd, 'played')
  const player = (name: string, script: string) => {
    writeFileSync(join(cwd, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(cwd, name), 0o700)
  }
  async function say(...words: string[]) {
    const [output, errors] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()]
    // Only the players of this folder, with the programs of their scripts by whole paths.
    const env = { ...addressOf(world), PATH: cwd }
    const code = await runCli(['say', ...words], { env, cwd, input: Readable.from([]), output, errors, interrupted: () => t.signal })
    output.end()
    errors.end()
    return { code, output: (await output.toArray()).join(''), errors: (await errors.toArray()).join('') }
  }
  const none = await say('Hello.')
  assert.deepEqual([none.code, none.output], [2, ''])
  assert.match(
    none.errors,
    /^studio: No player was found \(paplay, pw-play, aplay, ffplay, afplay\)\. Name a file instead: say TEXT -o FILE\n/,
  )
  player('ffplay', `/bin/cat > '${played}'; echo "$STUDIO_PORT" > '${played}.port'`)
  const streamed = await say('Hello.')
  assert.deepEqual([streamed.code, streamed.output, streamed.errors], [0, '', 'studio: A test tone, not speech.\n'])
  assert.equal(readFileSync(played).subarray(0, 4).toString(), 'RIFF')
  assert.equal(readFileSync(`${played}.port`, 'utf8'), '\n', 'a player sees no setting of the studio')
  player('paplay', `/bin/cp "$1" '${played}'`)
  writeFileSync(played, '')
  assert.equal((await say('Hello.')).code, 0)
  assert.ok(parseWav(readFileSync(played)).samples.length > 1_000)
  player('paplay', 'echo "Connection refused" >&2; exit 1')
  const silent = await say('Hello.')
  assert.deepEqual([silent.code, silent.output], [1, ''])
  assert.match(silent.errors, /paplay could not play the sound \(Connection refused\)\. Name a file with -o FILE\./)
  assert.equal((await say('Hello.', '--format', 'mp3')).code, 2)
  assert.deepEqual((await say('Hello.', '-o', '-')).code, 2)
})

test('a text of more characters than the public route takes is spoken whole, and leaves no take in the history', async (t) => {
  const world = await open()
  const cwd = temporaryFolder(t)
  const text = 'It rained all night long. '.repeat(170)
  const { code, errors } = await studio(['say', '-', '-o', 'long.wav'], { env: addressOf(world), cwd, input: text })
  assert.equal(code, 0, errors)
  const { samples, sampleRate } = parseWav(readFileSync(join(cwd, 'long.wav')))
  const second = await studio(['say', 'It rained all night long.', '-o', 'short.wav'], { env: addressOf(world), cwd })
  assert.equal(second.code, 0)
  const short = parseWav(readFileSync(join(cwd, 'short.wav')))
  assert.ok(samples.length / sampleRate > 100 * (short.samples.length / short.sampleRate))
  assert.deepEqual((await world.get('/history')).json(), [])
  const other = await studio(['say', '-', '-o', 'long.flac'], { env: addressOf(world), cwd, input: text })
  assert.deepEqual([other.code, /cannot be written as flac\. Choose one of mp3, opus, wav/.test(other.errors)], [2, true], other.errors)
})

test('speech that ends early leaves no file, and the message says what to do', async (t) => {
  const world = await open()
  const cwd = temporaryFolder(t)
  const before = ((await world.get('/workers/tasks?limit=200&always=true')).json() as Tasks).tasks.length
  const saying = startProgram(t, ['cli/main.ts', 'say', 'A sentence. '.repeat(300), '-o', join(cwd, 'hello.wav')], addressOf(world))
  await eventually(async () => ((await world.get('/workers/tasks?limit=200&always=true')).json() as Tasks).tasks.length > before)
  const [task] = ((await world.get('/workers/tasks?limit=1&always=true')).json() as Tasks).tasks
  await world.post(`/workers/tasks/${task!.task_id}/cancel?always=true`)
  assert.equal(await saying.ended, 1)
  assert.match(saying.output(), /^studio: .+\.\n$/)
  assert.deepEqual(readdirSync(cwd), [])
})

test('without a running studio the message says how to start one', async (t) => {
  // Port 1 is reserved, so nothing listens there.
  const { code, errors } = await studio(['say', 'hello', '-o', 'x.mp3'], {
    env: { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' },
    cwd: temporaryFolder(t),
  })
  assert.equal(code, 3)
  assert.match(errors, /No studio is running at 127\.0\.0\.1:1\. Start one with \.\/studio\./)
})

for (const [args, message] of [
  [['-o', 'x.mp3'], /The text is missing/],
  [['hello', '-o', 'x.doc'], /Choose one of mp3/],
  [['hello', '-o', 'x.mp3', '--speed', '9'], /0\.25 to 4/],
] as const) {
  test(`invalid arguments: say ${args.join(' ')}`, async () => {
    const { code, errors } = await studio(['say', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  })
}

test('--explain shows how a text is read, and speaks nothing', async (t) => {
  const world = await open()
  const options = { env: addressOf(world), cwd: temporaryFolder(t) }
  const shown = await studio(['say', 'On **4/15** he left.', '--explain', '--engine', 'flite'], options)
  assert.equal(shown.code, 0, shown.errors)
  assert.equal(
    shown.output,
    [
      'Engine Flite, language en',
      '',
      'Without marks',
      '  On 4/15 he left.',
      '',
      'With figures in words',
      '  On April fifteenth he left.',
      '',
    ].join('\n'),
  )
  const refused = await studio(['say', 'Hallo.', '--language', 'de', '-o', 'a.wav'], options)
  assert.equal(refused.code, 2)
  assert.match(refused.errors, /--language needs --explain/)
})
