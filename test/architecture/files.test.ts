import assert from 'node:assert/strict'
import { test } from 'node:test'
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

test('no file says where packages were fetched from', () => {
  assert.deepEqual(found(FETCHED_FROM, sources), [])
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
