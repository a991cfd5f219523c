import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APT, openMachine } from '#test/support/doubles/apt-machine.ts'

test('--yes installs the missing programs without confirmation', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT })
  const { code, output } = await setup('--yes')
  assert.equal(code, 0, output)
  assert.match(output, /ffmpeg: not installed \(203 MB\)\. Adds .*Opus/)
  assert.deepEqual(calls(), [
    'noninteractive install --yes --no-install-recommends -o DPkg::Lock::Timeout=120 ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa',
  ])
})

test('runs apt-get update when the first installation fails', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT }, 'updated')
  assert.equal((await setup('--yes')).code, 0)
  assert.deepEqual(
    calls().map((call) => call.split(' ')[1]),
    ['install', 'update', 'install'],
  )
})

test('shows the output of apt-get when the installation fails', async (t) => {
  const { setup } = openMachine(t, { 'apt-get': APT }, 'never')
  const { code, errors } = await setup('--yes')
  assert.equal(code, 1)
  assert.match(errors, /Unable to locate package/)
})

test('changes nothing without confirmation', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT })
  const { code, errors } = await setup()
  assert.equal(code, 2)
  assert.match(errors, /Add the option --yes/)
  assert.throws(calls, { code: 'ENOENT' })
})

test('prints the package names when there is no apt-get', async (t) => {
  const { setup } = openMachine(t, {})
  const { code, output } = await setup('--yes')
  assert.equal(code, 1)
  assert.match(output, /your system's tools: ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa/)
})

test('installs nothing when everything is installed', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT, ffmpeg: '', pocketsphinx_continuous: '', 'espeak-ng': '', apertium: '' })
  const { code, output } = await setup('--yes')
  assert.equal(code, 0)
  assert.doesNotMatch(output, /chromium/, 'only tests need Chromium')
  assert.match(output, /ffmpeg: installed\./)
  assert.throws(calls, { code: 'ENOENT' })
})

test('--pages bundles the web pages and installs nothing', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT })
  const { code, output, errors } = await setup('--pages')
  assert.equal(code, 0, errors)
  assert.match(output, /\.toolchain\/web\/[0-9a-f]{32}\n$/)
  assert.throws(calls, { code: 'ENOENT' })
})
