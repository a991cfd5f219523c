// The first screen of README.md. Its commands run in test/documents.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '#test/support/world/cli.ts'

const README = readFileSync(join(REPOSITORY, 'README.md'), 'utf8')

test('README.md shows the page in its first screen, and the picture is small', () => {
  const [, picture = ''] = /!\[[^\]]{10,}\]\((docs\/[\w.-]+)\)/.exec(README.split('\n').slice(0, 12).join('\n')) ?? []
  assert.ok(statSync(join(REPOSITORY, picture)).size <= 150_000, picture)
})
