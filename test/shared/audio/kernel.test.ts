// The bytes of the kernels are those of their sources.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import wabt from 'wabt'
import { FFT_BYTES } from '#shared/audio/fft/kernel.ts'
import { PEAK_BYTES } from '#shared/audio/master/peak-kernel.ts'
import { POLYPHASE_BYTES } from '#shared/audio/resampling/kernel.ts'

const AUDIO = join(import.meta.dirname, '../../../shared/audio')
const BYTES: Readonly<Record<string, string>> = {
  'fft/kernel.wat': FFT_BYTES,
  'master/peak-kernel.wat': PEAK_BYTES,
  'resampling/kernel.wat': POLYPHASE_BYTES,
}

test('every kernel in WebAssembly has the bytes of its source', async () => {
  const { parseWat } = await wabt()
  assert.deepEqual(
    globSync('**/*.wat', { cwd: AUDIO })
      .map((path) => path.replaceAll('\\', '/'))
      .sort(),
    Object.keys(BYTES),
  )
  for (const [name, bytes] of Object.entries(BYTES)) {
    const source = parseWat(name, readFileSync(join(AUDIO, name), 'utf8'), { simd: true, multi_value: true })
    source.validate()
    const assembled = Buffer.from(source.toBinary({}).buffer).toString('base64')
    assert.equal(bytes, assembled, `${name}: write these bytes into its module: ${assembled}`)
  }
})
