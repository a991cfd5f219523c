// The table of drills names tests that exist.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('each drill is a test', () => {
  const rows = readFileSync('test/drills/README.md', 'utf8').matchAll(/^\| [^|]+ \| `([^`]+)` \| ([^|]+) \|$/gm)
  const drills = [...rows].map(([, file, name]) => [file!, name!] as const)
  assert.equal(drills.length, 10)
  for (const [file, name] of drills) assert.ok(readFileSync(file, 'utf8').includes(`'${name}'`), `${file} has no test "${name}"`)
})
