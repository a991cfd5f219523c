// docs/security.md lists every package with what it does on the network by itself. A package that changes is examined again.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SILENT } from '#shared/runtime/child/environment.ts'

const ROOT = join(import.meta.dirname, '../../..')
const document = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>
const versions = { ...dependencies, ...devDependencies }

/** Packages of the table, with the versions that were examined. */
const examined = new Map(
  document.split('\n').flatMap((line): [string, string][] => {
    const [, names = '', numbers = ''] = line.split('|').map((cell) => cell.trim())
    if (!/^\d+\.\d+\.\d+/.test(numbers)) return []
    const listed = numbers.split(', ')
    return names
      .replace(' (tests)', '')
      .split(', ')
      .map((name, at) => [name, listed[at] ?? ''])
  }),
)

test('every package is listed as one that can talk or one that does not', () => {
  const [, harmless = ''] = /These packages open no connection[^:]*:([\s\S]*?)\n\n/.exec(document) ?? []
  const quiet = harmless.split(/[\s,;.]+(?=[@a-z])/).map((word) => word.replace(/[.,;]$/, ''))
  for (const name of Object.keys(versions)) assert.ok(examined.has(name) !== quiet.includes(name), `docs/security.md lists ${name} once`)
})

test('the version of a package that can talk is the one that was examined', () => {
  for (const [name, version] of examined) assert.equal(version, versions[name], `${name}: examine it again, then correct docs/security.md`)
  assert.ok(examined.size >= 15)
})

test('every variable that silences a child is explained', () => {
  for (const [name, value] of Object.entries(SILENT)) assert.ok(document.includes(`${name}=${value}`), name)
})
