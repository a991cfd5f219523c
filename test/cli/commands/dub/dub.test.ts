// A film dubbed by the real command with the programs that need no download, and what it refuses before the film is sent.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { run } from '#cli/commands/dub.ts'
import { exitStatusFor } from '#cli/lib/answer/exit.ts'
import type { Environment } from '#cli/lib/command.ts'
import { sentenceOf } from '#cli/views/failure.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { ffprobe, folder, make, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const NEEDED = ['ffmpeg', 'ffprobe', 'pocketsphinx_continuous', 'apertium', 'espeak-ng']
const missing = NEEDED.filter((name) => !findProgram(name, process.env['PATH']))
const withAll = { skip: missing.length > 0 ? `${missing.join(', ')} not on PATH; ./studio setup installs them` : false }

const film = join(folder, 'talk.mp4')
const held = join(folder, 'held')
const started = join(folder, 'started')
/** The recogniser, which waits while a file is there. */
const SPHINX = `touch '${started}'
while [ -e '${held}' ]; do sleep 0.05; done
exec '${findProgram('pocketsphinx_continuous', process.env['PATH'])}' "$@"`
const bin = join(folder, 'bin')
const world_ = sharedWorld({ fixedPort: true, env: { PATH: `${bin}:${process.env['PATH']}` } })

before(async () => {
  if (withAll.skip !== false) return
  programFolder(bin, { pocketsphinx_continuous: SPHINX }, [])
  const sounds: Buffer[] = [Buffer.alloc(16_000)]
  for (const sentence of SENTENCES.slice(0, 2)) sounds.push((await spoken(sentence)).pcm, Buffer.alloc(40_000))
  const wav = join(folder, 'talk.wav')
  writeFileSync(wav, recording(Buffer.concat(sounds)).get('audio')!)
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25']
  await make([...picture, '-i', wav, '-shortest', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', film])
})

const streamsOf = (path: string): { codec_type: string; tags?: { language?: string }; disposition: { default: number } }[] =>
  JSON.parse(execFileSync(ffprobe!, ['-v', 'error', '-show_streams', '-of', 'json', path]).toString()).streams
const soundOf = (path: string) =>
  streamsOf(path)
    .filter(({ codec_type }) => codec_type === 'audio')
    .map(({ tags, disposition }) => `${tags?.language}${disposition.default ? ' plays' : ''}`)

test('a film is dubbed; what was stopped continues, and a second language costs its own work only', withAll, async (t) => {
  const world = await world_()
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: new URL(world.url).port, STUDIO_API_KEY: '' }
  const out = join(folder, 'out.mp4')
  writeFileSync(held, '')
  // The agent may have tried the program at its start.
  rmSync(started, { force: true })
  const stopped = startProgram(t, ['cli/main.ts', 'dub', film, '--to', 'es', '-o', out], env)
  await stopped.says(/Preparation: /)
  await eventually(() => existsSync(started))
  assert.equal(await stopped.end('SIGINT'), 130, stopped.output())
  assert.match(stopped.output(), /Upload: .*\nPreparation: [\s\S]*cancelled in the studio\. .*the same command continues/)
  assert.equal(existsSync(out), false)
  await eventually(async () => (await world.get('/jobs?status=active')).json().length === 0)

  // The command follows the job over a restart of the studio.
  rmSync(started, { force: true })
  const continued = startProgram(t, ['cli/main.ts', 'dub', film, '--to', 'es', '-o', out], env)
  await eventually(() => existsSync(started))
  await world.restart('SIGKILL')
  rmSync(held)
  assert.equal(await continued.ended, 0, continued.output())
  const first = { errors: continued.output(), output: continued.output() }
  assert.match(first.errors, /The studio closed the connection\. Waiting for it to come back\./)
  assert.match(
    first.errors,
    /has this film already: continuing[\s\S]*Transcription: [\s\S]*Translation to Spanish: [\s\S]*Speech in Spanish: /,
  )
  assert.doesNotMatch(first.errors, /Upload/)
  assert.match(first.output, /\nout\.mp4: English to Spanish, \d lines?, \d+ s\n/)
  for (const line of [
    /What to know[\s\S]*separation|whole original/,
    /better:[\s\S]*\n {4}\.\/studio models install \S+whisper-small\S*\n/,
    /opus-mt-en-es/,
  ])
    assert.match(first.output, line)
  assert.deepEqual(soundOf(out), ['spa plays', 'eng'])

  const taken = await studio(['dub', film, '--to', 'es', '-o', out], { env })
  assert.deepEqual([taken.code, taken.output], [1, ''])
  assert.match(taken.errors, /exists already\. .* --force/)

  const args = ['--to', 'Spanish', '--to', 'en', '--subtitles', 'srt', '--force', '--json']
  const both = await studio(['dub', film, ...args, '-o', out], { env })
  assert.equal(both.code, 0, both.errors)
  assert.doesNotMatch(both.errors, /Upload|Transcription/)
  const result = jsonIn(both.output)
  assert.deepEqual([result.source, result.targets, result.missing], ['en', ['es', 'en'], 0])
  assert.deepEqual(soundOf(out), ['spa plays', 'eng', 'eng'])
  assert.match(readFileSync(join(folder, 'out.es.srt'), 'utf8'), /^1\r?\n00:00:0/)
  const parts = readdirSync(folder).filter((name) => name.endsWith('.part'))
  assert.deepEqual([parts, result.files.length], [[], 3])
})

test('what cannot work is refused before the film is sent', withAll, async () => {
  const world = await world_()
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: new URL(world.url).port, STUDIO_API_KEY: '' }
  const out = join(folder, 'refused.mp4')
  for (const [args, code, message] of [
    [[film, '-o', out], 2, /Name a language/],
    [[film, '--to', 'es'], 2, /Name the file that is written/],
    [[film, '--to', 'xx', '-o', out], 2, /Unknown language 'xx'/],
    [[film, '--to', 'Spansh', '-o', out], 2, /Did you mean 'Spanish' \(es\)/],
    [[film, '--to', 'es', '-o', 'out.mp3'], 2, /written as \.mp4/],
    [[film, '--to', 'es', '-o', out, '--strategy', 'fast'], 2, /concise, stretch_video/],
    [[film, '--to', 'es', '-o', out, '--subtitles', 'big'], 2, /soft, burn, srt, vtt/],
    [[film, '--to', 'es', '-o', '/nowhere/out.mp4'], 1, /does not exist/],
    [[film, '--to', 'es', '-o', film, '--force'], 1, /is the film itself/],
    [['/nowhere/film.mp4', '--to', 'es', '-o', out], 1, /There is no file/],
    [[film, '--to', 'fi', '-o', out], 1, /has the pair en-fi\. Install/],
    [[film, '--to', 'es', '-o', out, '--voice', 'Zed'], 5, /There is no voice Zed/],
  ] as const) {
    const ended = await inThisProcess(args, env)
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.errors}`)
    assert.match(ended.errors, message)
    assert.doesNotMatch(ended.errors, /Upload/)
  }
  // The process ends with the same.
  for (const [args, code, message] of [
    [[film, '--to', 'Spansh', '-o', out], 2, /Did you mean 'Spanish' \(es\)/],
    [[film, '--to', 'es', '-o', out, '--voice', 'Zed'], 5, /There is no voice Zed/],
  ] as const) {
    const ended = await studio(['dub', ...args], { env, cwd: folder })
    assert.equal(ended.code, code, ended.errors)
    assert.match(ended.errors, message)
    assert.doesNotMatch(ended.errors, /Upload/)
  }
})

/** The command without a process of its own, whose start costs more than a refusal. The status is the one that cli/main.ts gives an error. */
async function inThisProcess(args: readonly string[], env: Environment): Promise<{ readonly code: number; readonly errors: string }> {
  const written = new PassThrough()
  const { signal } = new AbortController()
  const terminal = { env, cwd: folder, input: Readable.from([]), output: written, errors: written, interrupted: () => signal }
  const ended = await run(args, terminal).then(
    (code) => ({ code, sentence: '' }),
    (error: unknown) => ({ code: exitStatusFor(error), sentence: sentenceOf(error) }),
  )
  written.end()
  return { code: ended.code, errors: `${await text(written)}${ended.sentence}` }
}

const bare = sharedWorld({ withoutAgent: true, env: { PATH: '/nowhere' } })
test('without ffmpeg the studio answers before a film is received, and the command says so', withPrograms, async () => {
  const world = await bare()
  const env = { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: new URL(world.url).port, STUDIO_API_KEY: '' }
  const sound = join(folder, 'any.wav')
  writeFileSync(sound, 'anything')
  const { code, errors } = await studio(['dub', sound, '--to', 'es', '-o', join(folder, 'any.m4a')], { env })
  assert.deepEqual([code, /needs ffmpeg and ffprobe/.test(errors)], [1, true], errors)
  for (const [path, type, piece] of [
    ['/dub/upload', 'multipart/form-data; boundary=x', '--x\r\n'],
    ['/dub/ingest-url', 'application/json', '{"url":'],
  ] as const) {
    // The rest of the body is never sent.
    const call = request(world.url + path, { method: 'POST', headers: { 'content-type': type, 'content-length': 1_000_000 } })
    const answered = new Promise<number>((resolve, reject) => {
      call.once('response', (response) => resolve(response.statusCode!))
      call.once('error', reject)
    })
    call.write(piece)
    assert.equal(await answered, 409, path)
    call.on('error', () => {}).destroy()
  }
})
