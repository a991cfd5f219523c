// Causes of a CUDA device that cannot be used, produced by the real loader and the real runtime with stand-in libraries. The eighth cause, a card
// without code in the runtime, is in test/agent/engine/runtimes/onnx/trial/cause.test.ts too, as recorded.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runtimeLibrary } from '#agent/engine/runtimes/onnx/library.ts'
import { createDeviceTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { withLibraries } from '#agent/gpu/folder.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { compileStandIns, folderOf, hasCompilers } from './stand-ins.ts'

const runtime = process.platform === 'linux' && process.arch === 'x64' ? runtimeLibrary() : null
const skip = runtime === null ? 'the runtime has no CUDA on this system' : hasCompilers() ? false : 'no compilers for C and C++'

test('each cause is found with the real loader and runtime, and a stand-in for the driver', { skip }, async (t) => {
  const home = temporaryFolder(t)
  const { provider, shared, cublas, driver } = compileStandIns(join(home, 'made'))
  const whole = [runtime!, shared, provider, cublas]
  const driverFolder = folderOf(join(home, 'driver'), [driver])
  const base = childEnvironment({ PATH: process.env['PATH'], HOME: home })
  const causeWith = (name: string, files: readonly string[], more: Readonly<Record<string, string>> = {}, inContainer = false) => {
    const folders = folderOf(join(home, name), files) + ('driver' in more ? `:${driverFolder}` : '')
    const environment = withLibraries({ ...base, ...more }, folders)
    return createDeviceTrial({ environment, inContainer: () => inContainer })('cuda')
  }
  const DRIVER = { driver: '' }
  const found = {
    'not installed': await causeWith('bare', [runtime!]),
    'a library is lost': await causeWith('lost', [runtime!, shared, provider], DRIVER),
    'no driver': await causeWith('whole', whole),
    'no driver in a container': await causeWith('whole', whole, {}, true),
    'an old driver': await causeWith('whole', whole, { ...DRIVER, STUB_VERSION: '12080' }),
    'no device': await causeWith('whole', whole, DRIVER),
    'a crash': await causeWith('whole', whole, { ...DRIVER, STUB_CRASH: '1' }),
    'a card without code': await causeWith('whole', whole, { ...DRIVER, STUB_INIT: '209' }),
  }
  assert.deepEqual(Object.fromEntries(Object.entries(found).map(([name, cause]) => [name, [cause?.code, cause?.reason]])), {
    'not installed': ['provider-missing', 'the part of the runtime for this device is not installed (libonnxruntime_providers_shared.so)'],
    'a library is lost': ['library-missing', 'the library libcublasLt.so.13 is missing'],
    'no driver': ['driver-missing', 'the NVIDIA driver is missing (libcuda.so.1)'],
    'no driver in a container': ['driver-not-in-container', 'this container has no NVIDIA driver (libcuda.so.1)'],
    'an old driver': ['driver-old', 'the NVIDIA driver is too old (CUDA failure 35)'],
    'no device': ['no-device', 'the driver finds no GPU (CUDA failure 100)'],
    'a crash': ['driver-crash', 'it crashed when it was tried (SIGSEGV)'],
    'a card without code': ['card-unsupported', 'the runtime has no code for this GPU, which is too old or too new (CUDA failure 209)'],
  })
})
