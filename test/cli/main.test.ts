import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS } from '#cli/command-list.ts'
import { nearest } from '#cli/lib/nearest.ts'
import { REPOSITORY, runToEnd, studio } from '#test/support/world/cli.ts'

test('help names every command and fits a terminal of 120 columns', async () => {
  const { code, output, errors } = await studio(['--help'])
  assert.equal(code, 0)
  assert.equal(errors, '')
  for (const { usage, line } of COMMANDS) assert.ok(output.includes(`./studio ${usage}`.trimEnd()) && output.includes(line), usage)
  for (const line of output.split('\n')) assert.ok(line.length <= 120, line)
})

test('--help after a command shows only that command', async () => {
  const { code, output } = await studio(['say', '--help'])
  assert.equal(code, 0)
  assert.match(output, /--voice/)
  assert.doesNotMatch(output, /bench/)
})

test('--version prints the version of package.json', async () => {
  assert.match((await studio(['--version'])).output, /^Voice Studio \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+\)\n$/)
})

test('an unknown command exits with 2 and suggests the nearest name', async () => {
  const { code, output, errors } = await studio(['bnech'])
  assert.equal(code, 2)
  assert.equal(output, '')
  assert.match(errors, /Unknown command 'bnech'\. Did you mean 'bench'\?/)
})

test('an unknown option exits with 2', async () => {
  const { code, errors } = await studio(['setup', '--yess'])
  assert.equal(code, 2)
  assert.match(errors, /--yess/)
})

test('a closed output pipe is not a failure', async () => {
  // `true` ends before Node has started, so the first write already fails with EPIPE.
  const command = '{ "$0" cli/main.ts --help; echo "status $?" >&2; } | true'
  const { errors } = await runToEnd('sh', ['-c', command, process.execPath], { cwd: REPOSITORY })
  assert.equal(errors, 'status 0\n')
})

test('nearest returns the candidate with the smallest edit distance, the first of equals', () => {
  assert.equal(nearest('tset', ['say', 'test', 'start']), 'test')
  assert.equal(nearest('', ['say', 'docs']), 'say')
  assert.equal(nearest('agents', ['agent', 'start']), 'agent')
})
