// The default voice through the API of a studio, heard by Whisper base in two programs: ours and faster-whisper. STUDIO_TEST_WEIGHTS is a folder with
// `whisper-base/`; the program and the weights of the other judge come from packages.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { resample } from '#agent/engine/audio/resample.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { goldenBytes } from '../golden/golden.ts'
import { plainWords, wordErrors } from '../support/audio/words.ts'
import { openJudge } from '../support/weights/faster-whisper.ts'
import { openListener, withoutWeights } from '../support/weights/folder.ts'
import { sharedWorld, temporaryFolder } from '../support/world/world.ts'

const HARVARD = 30
const LISTENING_RATE = 16_000
const SENTENCES = goldenBytes('english-phonemes.tsv')
  .toString('utf8')
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([kind]) => kind === 'sents')
  .slice(0, HARVARD)
  .map(([, text]) => text!)
const open = sharedWorld()
const { signal } = new AbortController()

async function spoken(text: string): Promise<Buffer> {
  const reply = await (await open()).post('/v1/audio/speech', { input: text, response_format: 'wav', seed: 1 })
  assert.deepEqual([reply.status, reply.headers.get('x-svc-voice')], [200, 'heart'], text)
  return reply.body
}
function assertFewWrong(t: TestContext, heard: readonly string[], most: number): void {
  assert.equal(heard.length, HARVARD)
  let [wrong, total] = [0, 0]
  for (const [at, text] of heard.entries()) {
    const words = plainWords(SENTENCES[at]!)
    const errors = wordErrors(words, plainWords(text))
    if (errors > 0) t.diagnostic(`${SENTENCES[at]} -> ${text}`)
    wrong += errors
    total += words.length
  }
  t.diagnostic(`${wrong} of ${total} words are wrong (${((100 * wrong) / total).toFixed(1)} %)`)
  assert.ok(wrong <= most * total, `${wrong} of ${total}`)
}

const missing = withoutWeights('whisper-base')
test('our Whisper understands the default voice', { skip: missing }, async (t) => {
  const listener = openListener()
  t.after(() => listener.close())
  const heard: string[] = []
  for (const text of SENTENCES) {
    const { samples, sampleRate } = parseWav(await spoken(text))
    heard.push((await listener.hear(await resample(samples, sampleRate, LISTENING_RATE, signal), { language: 'en' })).text)
  }
  assertFewWrong(t, heard, 0.06)
})

const judge = missing === false ? await openJudge() : { skip: missing }
test('faster-whisper understands the default voice', { skip: 'skip' in judge ? judge.skip : false }, async (t) => {
  assert.ok('hear' in judge)
  const folder = temporaryFolder(t)
  const files: string[] = []
  for (const [at, text] of SENTENCES.entries()) {
    files.push(join(folder, `${at}.wav`))
    writeFileSync(files.at(-1)!, await spoken(text))
  }
  assertFewWrong(t, await judge.hear(files), 0.045)
})
