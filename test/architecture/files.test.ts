import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PACKAGES, PUBLISHED } from '#shared/protocol/version.ts'
import { allSources, type Source } from './source.ts'

const sources = allSources()

// Folders of somebody's own machine. A path that merely ends so (`/framework/`, `{data}/root/`) is none.
const MACHINE_PATH = /(?<![\w.~}-])\/(?:work|root|home\/[a-z]\w*|Users\/\w+)\//
// Where packages were fetched from differs from machine to machine; the digests in the lock files say what was fetched.
const FETCHED_FROM = /"resolved": (?!"toolchain\/)|_authToken|^registry=|https?:\/\/[^\s"'/]*(?:registry|artifactory|nexus|mirror|npmjs)/m

const found = (pattern: RegExp, from: readonly Source[]) =>
  from.flatMap(({ path, text }) => {
    const [hit] = pattern.exec(text) ?? []
    return hit === undefined || path === 'test/architecture/files.test.ts' ? [] : [`${path}: ${hit}`]
  })

test('no file names a folder of one machine', () => {
  assert.deepEqual(found(MACHINE_PATH, sources), [])
})

test('no file says where packages were fetched from, and one names the public registry', () => {
  // The registry that studios ask for new versions, if their owners allow it.
  assert.deepEqual(found(FETCHED_FROM, sources), ['shared/protocol/version.ts: https://registry.npmjs'])
})

// A stranger may own these names: an installation from a registry could run any program.
const INSTALLS = new RegExp(
  `\\b(?:npx (?:--yes |-y )?|npm (?:install|i) (?:--global |-g )?)(?:${PACKAGES.studio}(?![\\w/-])|${PACKAGES.agent}|${PACKAGES.native})`,
)
const NAMED = new RegExp(`['"\`](?:${PACKAGES.agent}|${PACKAGES.native})['"\`]`)

test('before a release no text installs our packages from a registry, and only one file of the programs has their names', () => {
  const texts = sources.filter(({ path }) => !path.startsWith('test/'))
  assert.deepEqual(PUBLISHED ? [] : found(INSTALLS, texts), [])
  const programs = texts.filter(({ path }) => /^(?:agent|cli|control-plane|shared|tools)\/.*\.tsx?$/.test(path))
  assert.deepEqual(found(NAMED, programs), [`shared/protocol/version.ts: '${PACKAGES.agent}'`])
  assert.equal(found(INSTALLS, [{ path: 'x', text: `npx --yes ${PACKAGES.agent} join CODE` }]).length, 1)
})

test('planted paths and hosts are reported, look-alikes are not', () => {
  const hits = (pattern: RegExp, ...texts: string[]) =>
    found(
      pattern,
      texts.map((text, index) => ({ path: `${index}`, text })),
    ).length
  assert.equal(hits(MACHINE_PATH, "open('/root/x')", 'see /home/jane/notes', '"/work/y"'), 3)
  assert.equal(hits(MACHINE_PATH, 'agent/work/x', '/workers/x', '~/work/x', '}/root/x'), 0)
  assert.equal(hits(FETCHED_FROM, '"resolved": "x"', 'registry=y', 'see https://registry.example.org/x'), 3)
  assert.equal(hits(FETCHED_FROM, 'a registry of workers', 'registry = new Map()', 'https://example.org/registry'), 0)
})
