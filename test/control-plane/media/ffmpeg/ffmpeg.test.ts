import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { createMedia } from '#control-plane/media/encode.ts'
import { createMediaPrograms } from '#control-plane/media/programs.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { speech } from '#test/shared/audio/signal.ts'

const folder = mkdtempSync(join(tmpdir(), 'media-'))
after(() => rmSync(folder, { recursive: true }))
const SOUND = Buffer.from(toS16(speech(4, 16000, 5)))

/** A substitute for ffmpeg that fails as `script` defines. */
function faulty(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}
async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}
async function encodeWith(ffmpegPath: string | null) {
  const media = createMedia({ log: silentLog, clock: systemClock, ffmpegPath: () => ffmpegPath, threads: 1, spoolFolder: tmpdir() })
  after(() => media.stop())
  async function* source() {
    for (let at = 0; at < SOUND.length; at += 16_000) {
      await systemClock.sleep(2)
      yield SOUND.subarray(at, at + 16_000)
    }
  }
  const signal = new AbortController().signal
  return media.encode({ format: 'opus', sampleRate: 16000, source: source(), mark: null, effects: null, master: false, signal })
}

for (const [name, path, reason] of [
  ['there is no ffmpeg', null, /no ffmpeg on this machine/],
  ['it was removed', join(folder, 'gone'), /not on this machine any more/],
  ['it lacks the encoder', faulty('lacks', `echo "Unknown encoder 'libopus'" >&2; exit 1`), /built without this encoder/],
  ['it exits while reading', faulty('dies', 'head -c 60000 >/dev/null; exit 3'), /stopped before it wrote anything/],
  ['it writes nothing', faulty('nothing', 'cat >/dev/null'), /stopped before it wrote anything/],
] as const) {
  test(`WAV is sent instead of another format: ${name}`, async () => {
    const { contentType, extension, standIn, contentLength, body } = await encodeWith(path)
    const bytes = await collect(body)
    assert.deepEqual([contentType, extension, contentLength], ['audio/wav', 'wav', bytes.length])
    assert.match(standIn ?? '', reason)
    assert.match(standIn ?? '', /WAV was sent instead/)
    assert.deepEqual(bytes.subarray(44), SOUND, 'not a sample is missing')
  })
}

test('an exit after the first bytes is a failure', async () => {
  const { body, standIn } = await encodeWith(faulty('midway', 'head -c 2000; echo "disk on fire" >&2; exit 1'))
  assert.equal(standIn, null)
  const { code, message, cause } = Failure.from(await collect(body).catch((error: unknown) => error))
  assert.deepEqual([code, message], ['WORKER_FAILED', 'ffmpeg stopped before the end of the audio.'])
  assert.match(String(cause), /disk on fire/, 'for the log')
})

test('ffmpeg is found on a path, and only an executable file counts', async () => {
  const [empty, wrong, right] = ['empty', 'wrong', 'right'].map((name) => join(folder, name))
  mkdirSync(empty!)
  mkdirSync(wrong!)
  writeFileSync(join(wrong!, 'ffmpeg'), '')
  mkdirSync(right!)
  faulty('right/ffmpeg', 'exit 0')
  const usable = (...folders: (string | undefined)[]) =>
    createMediaPrograms({ path: folders.join(delimiter), folder: join(folder, 'none'), choiceOf: () => ({ kind: 'auto' }) }).usable(
      'ffmpeg',
    )
  assert.equal(usable(empty, wrong, right), join(right!, 'ffmpeg'))
  assert.equal(usable(empty, '', wrong), null)
})
