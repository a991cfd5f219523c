import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { driverProgram, findCards, isInContainer, type RunQuery } from '#agent/engine/runtimes/onnx/trial/cards.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

function rootWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder(t)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}
const noProgram: RunQuery = async () => ''
const linux = { platform: 'linux', arch: 'x64', query: noProgram }

test('a machine without cards has none, on every system', async (t) => {
  const root = rootWith(t, {})
  for (const platform of ['linux', 'win32', 'freebsd']) assert.deepEqual(await findCards({ platform, root, query: noProgram }), [])
})

test('the NVIDIA driver lists its cards', async (t) => {
  const folder = 'proc/driver/nvidia/gpus'
  const root = rootWith(t, {
    [`${folder}/0000:00:00.0/information`]: 'Model: \t\t NVIDIA H200\nIRQ: 5\n',
    [`${folder}/0000:01:00.0/information`]: 'nonsense',
    'sys/bus/pci/devices/0000:00:00.0/class': '0x030200\n',
    'sys/bus/pci/devices/0000:00:00.0/vendor': '0x10de\n',
  })
  const cards = await findCards({ ...linux, root })
  assert.deepEqual(
    cards.map(({ model, device }) => [model, device]),
    [
      ['NVIDIA H200', 'cuda'],
      ['NVIDIA GPU', 'cuda'],
    ],
  )
})

test('a card of NVIDIA without its driver is found on the bus, and other devices of NVIDIA are none', async (t) => {
  const bus = 'sys/bus/pci/devices'
  const root = rootWith(t, {
    [`${bus}/0000:01:00.0/class`]: '0x030000\n',
    [`${bus}/0000:01:00.0/vendor`]: '0x10de\n',
    [`${bus}/0000:01:00.0/device`]: '0x2684\n',
    [`${bus}/0000:01:00.1/class`]: '0x040300\n',
    [`${bus}/0000:01:00.1/vendor`]: '0x10de\n',
  })
  assert.deepEqual(await findCards({ ...linux, root }), [{ vendor: 'NVIDIA', model: 'NVIDIA GPU (0x2684)', device: 'cuda' }])
})

test('in WSL the program of the Windows driver lists the cards', async (t) => {
  const root = rootWith(t, { 'usr/lib/wsl/lib/nvidia-smi': '', 'dev/dxg': '' })
  const asked: string[] = []
  const query: RunQuery = async (program) => {
    asked.push(program)
    return 'NVIDIA GeForce RTX 4090\n\n'
  }
  assert.deepEqual(await findCards({ ...linux, root, query }), [{ vendor: 'NVIDIA', model: 'NVIDIA GeForce RTX 4090', device: 'cuda' }])
  assert.deepEqual(asked, [join(root, 'usr/lib/wsl/lib/nvidia-smi')])
  assert.equal(driverProgram(root), asked[0])
  assert.equal(driverProgram(rootWith(t, {})), 'nvidia-smi')
})

test('the kernel lists the cards of AMD and Intel', async (t) => {
  const drm = 'sys/class/drm'
  const root = rootWith(t, {
    [`${drm}/card0/device/vendor`]: '0x8086\n',
    [`${drm}/card0/device/device`]: '0x56a0\n',
    [`${drm}/card1/device/vendor`]: '0x1002\n',
    [`${drm}/card1/device/product_name`]: 'Radeon RX 7900 XTX\n',
    [`${drm}/card2/device/vendor`]: '0x1a03\n',
    [`${drm}/card0-DP-1/device/vendor`]: '0x8086\n',
  })
  assert.deepEqual(await findCards({ ...linux, root }), [
    { vendor: 'Intel', model: 'Intel GPU (0x56a0)', device: 'webgpu' },
    { vendor: 'AMD', model: 'Radeon RX 7900 XTX', device: 'webgpu' },
  ])
})

test('Windows and Apple silicon name their cards themselves; Macs with Intel processors have no runtime', async () => {
  const query: RunQuery = async () => 'NVIDIA GeForce RTX 3060\r\nAMD Radeon(TM) Graphics\r\nMicrosoft Basic Display Adapter\r\n'
  const windows = await findCards({ platform: 'win32', query })
  assert.deepEqual(
    windows.map(({ vendor, model, device }) => [vendor, model, device]),
    [
      ['NVIDIA', 'NVIDIA GeForce RTX 3060', 'webgpu'],
      ['AMD', 'AMD Radeon(TM) Graphics', 'webgpu'],
    ],
  )
  const mac = { platform: 'darwin', processor: () => 'Apple M3 Pro' }
  assert.deepEqual(await findCards({ ...mac, arch: 'arm64' }), [{ vendor: 'Apple', model: 'Apple M3 Pro', device: 'webgpu' }])
  assert.deepEqual(await findCards({ ...mac, arch: 'x64' }), [])
})

test('containers are recognised by the files of their engines', (t) => {
  assert.equal(isInContainer(rootWith(t, {})), false)
  for (const path of ['.dockerenv', 'run/.containerenv', 'var/run/secrets/kubernetes.io/x'])
    assert.equal(isInContainer(rootWith(t, { [path]: '' })), true, path)
})
