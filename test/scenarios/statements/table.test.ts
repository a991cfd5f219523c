// Every statement of the table has its test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { TABLE } from './table.ts'

test('every statement of the table has its test', () => {
  for (const { says, file, test: name } of TABLE) {
    const text = readFileSync(join(REPOSITORY, file), 'utf8')
    assert.ok(text.includes(`test('${name}'`), `${says}: ${file} has no test '${name}'`)
  }
})
