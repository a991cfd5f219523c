import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64'
const driverOf = (line: string) => ({ 'nvidia-smi': `echo "${line}"` })

test('gpu shows what is installed, for the studio and for lenders; remove deletes it', async (t) => {
  const dataDir = temporaryFolder(t)
  const env = { STUDIO_DATA_DIR: dataDir }
  const shown = jsonIn((await studio(['gpu', '--json'], { env })).output)
  assert.deepEqual([shown.cuda.installed, shown.cuda.runtime, shown.cuda.downloaded_bytes], [false, '1.30.0', 0])
  mkdirSync(join(dataDir, 'gpu/ort-1.29.0-cuda13'), { recursive: true, mode: 0o700 })
  mkdirSync(join(dataDir, 'gpu/download/.parts'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'gpu/download/.parts/x'), '0123456789')
  const old = await studio(['agent', 'gpu'], { env })
  assert.match(old.output, /installed for another version of this program\. Run \.\/studio agent gpu install again/)
  assert.match(old.output, /10 B of it are downloaded/)
  assert.match((await studio(['gpu', 'remove'], { env })).output, /are removed/)
  assert.match((await studio(['gpu', 'remove'], { env })).output, /No CUDA parts/)
  for (const [args, message] of [
    [['gpu', 'x'], /Unknown gpu command 'x'/],
    [['gpu', 'remove', '--yes'], /belong to gpu install/],
    [['gpu', 'install', '--from', '.', '--index', 'https://x'], /not both/],
    [['gpu', 'install', '--index', 'x'], /takes the address/],
  ] as const) {
    const { code, errors } = await studio([...args], { env })
    assert.equal(code, 2)
    assert.match(errors, message)
  }
})

test('the parts of an image are not changed from inside it', async (t) => {
  const [parts, dataDir] = [join(temporaryFolder(t), 'gpu'), temporaryFolder(t)]
  mkdirSync(join(parts, 'ort-1.30.0-cuda13'), { recursive: true })
  symlinkSync(parts, join(dataDir, 'gpu'))
  for (const args of [['remove'], ['install', '--from', dataDir, '--untried', '--yes']]) {
    const { code, errors } = await studio(['gpu', ...args], { env: { STUDIO_DATA_DIR: dataDir, VOICE_STUDIO_IN_IMAGE: '1' } })
    assert.equal(code, 1)
    assert.match(errors, /those of the image\. To change them, build the image again\./)
  }
  assert.ok(existsSync(join(parts, 'ort-1.30.0-cuda13')))
})

test('gpu install says what the machine lacks, else size and licences, and asks before it takes anything', {
  skip: isLinuxX64 ? false : 'CUDA is for Linux on x64',
}, async (t) => {
  const folder = temporaryFolder(t)
  const install = (line: string, ...args: string[]) =>
    studio(['gpu', 'install', '--from', folder, ...args], {
      env: {
        STUDIO_DATA_DIR: join(folder, 'data'),
        PATH: programFolder(join(temporaryFolder(t), 'bin'), driverOf(line), []),
      },
    })
  const old = await install('NVIDIA T4, 570.1, 7.5', '--yes')
  assert.equal(old.code, 1)
  assert.match(old.errors, /driver 570\.1 is too old: CUDA 13\.0 needs 580 or later/)
  const asked = await install('NVIDIA L4, 580.1, 8.9')
  assert.equal(asked.code, 2)
  assert.match(asked.output, /NVIDIA L4, driver 580\.1, compute capability 8\.9\nReads 1\.2 GB.*Needs 2\.8 GB.*\nLicences: .*MIT.*cuDNN/)
  assert.match(asked.errors, /Add the option --yes/)
  const empty = await install('NVIDIA L4, 580.1, 8.9', '--yes')
  assert.equal(empty.code, 5)
  assert.match(empty.errors, /onnxruntime_gpu-1\.30\.0-\S+ is not in /)
  const inBuild = await install('', '--untried', '--yes')
  assert.match(inBuild.errors, /onnxruntime_gpu-1\.30\.0-\S+ is not in /, 'no card is required in the build of an image')
})
