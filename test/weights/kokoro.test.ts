// Kokoro and Whisper with their real weights in a studio: installed by its commands from a mirror, and what they say is heard. STUDIO_TEST_WEIGHTS is a
// folder with `whisper-base/`; the weights of Kokoro come from packages.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { wordErrors } from '../support/audio/words.ts'
import { openModelServer } from '../support/doubles/model-server.ts'
import { WHISPER_REPOSITORY, whisperFiles, withoutWeights } from '../support/weights/folder.ts'
import { KOKORO_REPOSITORY, kokoroFiles } from '../support/weights/kokoro.ts'
import { commandsOf } from '../support/world/cli.ts'
import { form } from '../support/world/http.ts'
import { tasksOf } from '../support/world/tasks.ts'
import { openWorld, temporaryFolder } from '../support/world/world.ts'

const missing = withoutWeights('whisper-base')
const kokoro = missing === false ? await kokoroFiles() : { skip: missing }
const skip = 'skip' in kokoro ? kokoro.skip : false
const withoutProgram = (...names: string[]): string | false => {
  const absent = names.filter((name) => !findProgram(name, process.env['PATH']))
  return absent.length > 0 ? `${absent.join(', ')} is not installed.` : false
}

const TEXTS: readonly (readonly [voice: string, text: string])[] = [
  ['af_heart', 'The birch canoe slid on the smooth planks.'],
  ['af_heart', 'It is easy to tell the depth of a well, and glue the sheet to the dark blue background.'],
  ['am_michael', 'These days a chicken leg is a rare dish.'],
  ['bf_emma', 'Rice is often served in round bowls.'],
]
const CHAPTER = 'The harbour was quiet in the evening.\n\nA boy was fishing from the wall, and his dog slept beside him.'
const FILM = 'We will meet again next Monday morning. Please close the window.'

test('Kokoro and Whisper in a studio', { skip }, async (t) => {
  const { files } = kokoro as { readonly files: Readonly<Record<string, Buffer>> }
  const mirror = await openModelServer(t, { [KOKORO_REPOSITORY]: files, [WHISPER_REPOSITORY]: whisperFiles() })
  const env = { STUDIO_MODELS_URL: mirror.url, STUDIO_MODELS_CACHE: '' }
  const world = await openWorld(t, { env, remote: true, preload: './test/support/weights/catalogue-of-exports.ts' })
  const command = commandsOf(world)
  const speak = async (voice: string, input: string, more: object = {}): Promise<Buffer> => {
    const reply = await world.post('/v1/audio/speech', { model: 'kokoro', voice, input, seed: 3, response_format: 'wav', ...more })
    assert.deepEqual([reply.status, reply.headers.get('x-svc-voice')], [200, voice], String(reply.body.subarray(0, 500)))
    return reply.body
  }
  const heard = async (file: Buffer<ArrayBuffer>, language = 'en'): Promise<string> => {
    const reply = await world.post('/v1/audio/transcriptions', form({ file, model: 'faster-whisper', language }))
    assert.equal(reply.status, 200, String(reply.body))
    return reply.json().text
  }
  const errorsIn = async (file: Buffer<ArrayBuffer>, expected: string, language?: string) => {
    const text = await heard(file, language)
    const words = wordsOf(expected)
    const wrong = wordErrors(words, wordsOf(text))
    t.diagnostic(`${wrong} of ${words.length} words are wrong: ${expected} -> ${text}`)
    return { wrong, total: words.length }
  }

  await t.test('the commands of the product install both from a mirror, and verify them', async () => {
    for (const [name, done] of [
      ['kokoro:q8', 'Installed onnx-community/Kokoro-82M-v1.0-ONNX:q8.'],
      ['whisper-base:q8', 'Installed onnx-community/whisper-base_timestamped:q8.'],
    ] as const) {
      const { code, output, errors } = await command('models', 'install', name)
      assert.equal(code, 0, errors)
      assert.ok(output.includes(done), output)
    }
    for (const name of ['kokoro:q8', 'whisper-base:q8']) {
      const { code, output, errors } = await command('models', 'verify', name)
      assert.equal(code, 0, output + errors)
      assert.match(output, /PASS: \d+ of \d+ checks pass, 0 differ/)
    }
  })

  await t.test('Whisper understands the voices', async () => {
    const each = []
    for (const [voice, text] of TEXTS) each.push(await errorsIn(Buffer.from(await speak(voice, text)), text))
    const [wrong, total] = [each.reduce((sum, one) => sum + one.wrong, 0), each.reduce((sum, one) => sum + one.total, 0)]
    assert.ok(wrong <= 0.1 * total, `${wrong} of ${total} words are wrong`)
  })

  await t.test('a borrowed machine speaks the same bytes as this one', async () => {
    const joined = await world.machine('box')
    await world.approve(joined)
    await joined.program.end('SIGTERM')
    cpSync(join(world.dataDir, 'local-agent/models/kokoro'), join(joined.dataDir, 'agent/models/kokoro'), { recursive: true })
    const box = await joined.restart()
    const bytes: Buffer[] = []
    for (const target of ['local', box.workerId]) {
      assert.equal((await world.post('/workers/target', { target })).status, 200)
      bytes.push(await speak(...TEXTS[0]!))
      assert.equal((await tasksOf(world))[0]!.attempts.at(-1)!.worker_id, target)
    }
    assert.ok(bytes[0]!.equals(bytes[1]!))
    await world.remove(box)
  })

  await t.test('a chapter of a book is heard', { skip: withoutProgram('ffmpeg') }, async (t) => {
    const folder = temporaryFolder(t)
    const [text, book] = [join(folder, 'book.md'), join(folder, 'book.mp3')]
    writeFileSync(text, `# The harbour\n\n${CHAPTER}\n`)
    const rendered = await command('book', 'render', text, '-o', book, '--engine', 'kokoro', '--voice', 'bm_george')
    assert.equal(rendered.code, 0, rendered.errors)
    const { wrong, total } = await errorsIn(soundOf(book), CHAPTER)
    assert.ok(wrong <= 0.15 * total, `${wrong} of ${total} words are wrong`)
  })

  const noFilm = withoutProgram('ffmpeg', 'ffprobe', 'apertium', 'espeak-ng')
  await t.test('a film is dubbed, and its Spanish is heard', { skip: noFilm }, async (t) => {
    const folder = temporaryFolder(t)
    const [speech, film, dubbed] = ['film.wav', 'film.mp4', 'dubbed.mp4'].map((name) => join(folder, name)) as [string, string, string]
    writeFileSync(speech, await speak('af_heart', FILM))
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25', '-i', speech, '-shortest']
    execFileSync('ffmpeg', [
      '-v',
      'error',
      ...picture,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      film,
    ])
    const { code, output, errors } = await command('dub', film, '--to', 'es', '--subtitles', 'srt', '-o', dubbed)
    t.diagnostic(output + errors)
    assert.equal(code, 0, errors)
    const spanish = readFileSync(join(folder, 'dubbed.es.srt'), 'utf8')
      .split(/\r?\n/)
      .filter((line) => /\p{L}/u.test(line))
      .join(' ')
    assert.ok((await tasksOf(world)).some(({ engine, state }) => engine === 'kokoro' && state === 'completed'))
    const { wrong, total } = await errorsIn(soundOf(dubbed), spanish, 'es')
    assert.ok(wrong <= 0.35 * total, `${wrong} of ${total} words are wrong`)
  })
})

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
/** The first track of sound, as a WAV file. */
const soundOf = (file: string): Buffer<ArrayBuffer> =>
  Buffer.from(execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-map', '0:a:0', '-ac', '1', '-ar', '16000', '-f', 'wav', '-'], { maxBuffer: 2 ** 26 })) // biome-ignore format: one line
