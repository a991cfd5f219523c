import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runtimeLibrary } from '#agent/engine/runtimes/onnx/library.ts'
import { CUDA_SET, downloadBytes, folderName, libraryName, neededBytes } from '#agent/gpu/cuda-parts.ts'
import { type GpuMachine, gpuRefusal } from '#agent/gpu/requirements.ts'

const GOOD: GpuMachine = {
  platform: 'linux',
  arch: 'x64',
  inContainer: false,
  runtimeSha256: CUDA_SET.runtimeSha256,
  driver: 'NVIDIA GeForce RTX 4090, 580.65.06, 8.9\n',
  freeBytes: 10e9,
  presentBytes: 0,
}
const refusal = (more: Partial<GpuMachine>, set = CUDA_SET) => gpuRefusal({ ...GOOD, ...more }, set, './studio')

test('a machine is refused for the first thing that it lacks, before anything is downloaded', () => {
  assert.equal(refusal({}), null)
  for (const [more, expected] of [
    [{ platform: 'win32' }, /Nothing is to be installed/],
    [{ platform: 'darwin', arch: 'arm64' }, /Nothing is to be installed/],
    [{ platform: 'darwin', arch: 'x64' }, /Linux on x64 only/],
    [{ arch: 'arm64' }, /Linux on x64 only/],
    [{ runtimeSha256: null }, /not installed/],
    [{ runtimeSha256: 'other' }, /not the 1\.30\.0/],
    [{ driver: '' }, /driver is missing.*Install the NVIDIA driver 580/],
    [{ driver: '', inContainer: true }, /this container has no NVIDIA driver.*--gpus all/],
    [{ driver: 'NVIDIA T4, 570.124.06, 7.5\n' }, /driver 570\.124\.06 is too old.*580 or later/],
    [{ driver: 'NVIDIA T4, [N/A], 7.5\n' }, /too old/],
    [{ driver: 'Tesla V100, 580.1, 7.0\nNVIDIA B200, 580.1, 10.0\n' }, /no code for Tesla V100 \(compute capability 7\.0\), NVIDIA B200/],
    [{ freeBytes: 1e9 }, /has 1\.0 GB free, and the installation needs 2\.8 GB/],
  ] as const)
    assert.match(refusal(more)!, expected)
  assert.equal(refusal({ driver: 'Tesla V100, 580.1, 7.0\nNVIDIA L4, 580.1, 8.9\n' }), null, 'one card is enough')
  assert.equal(refusal({ driver: null }), null, 'the build of an image has no card')
  assert.match(refusal({ driver: null, freeBytes: 1e9 })!, /needs 2\.8 GB/)
  assert.equal(refusal({ freeBytes: neededBytes(CUDA_SET) - 1e9, presentBytes: 1e9 }), null, 'a part of it is there')
  const [first, ...rest] = CUDA_SET.parts
  assert.match(refusal({}, { ...CUDA_SET, parts: [{ ...first!, sha256: null }, ...rest] })!, /no digest for onnxruntime-gpu/)
})

test('the table names files, sizes and digests, and the folder is named after versions', () => {
  for (const { name, version, file, sha256, bytes } of CUDA_SET.parts) {
    assert.ok(file.startsWith(`${name.replaceAll('-', '_')}-${version}-`) && file.endsWith('.whl'), file)
    assert.match(sha256!, /^[0-9a-f]{64}$/)
    assert.ok(bytes > 1e6)
  }
  assert.equal(folderName(CUDA_SET), 'ort-1.30.0-cuda13')
  assert.ok(downloadBytes(CUDA_SET) > 1.1e9 && downloadBytes(CUDA_SET) < 1.2e9)
  assert.deepEqual(['libcublaslt.so.13', 'libcublas.so.13'].map(libraryName), ['libcublasLt.so.13', 'libcublas.so.13'])
})

test('the provider belongs to the runtime of the lock file', {
  skip: process.platform !== 'linux' || process.arch !== 'x64' ? 'the runtime has no CUDA on this system' : false,
}, () => {
  const digest = createHash('sha256').update(readFileSync(runtimeLibrary()!)).digest('hex')
  assert.equal(digest, CUDA_SET.runtimeSha256, 'a new runtime needs a new table in agent/gpu/cuda-parts.ts')
})
