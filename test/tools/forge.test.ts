// The files of the forge and of editors name things that exist.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { REPOSITORY } from '../support/world/cli.ts'

const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')
type Step = { readonly run?: string; readonly uses?: string; readonly with?: Readonly<Record<string, unknown>> }
type Workflow = { readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes': number; readonly steps: readonly Step[] }>> }

test('continuous integration runs .ci/run on the pinned Node, and starts on the oldest one', () => {
  const { jobs } = parseYaml(read('.github/workflows/ci.yml')) as Workflow
  assert.deepEqual(Object.keys(jobs), ['test', 'oldest-node', 'windows'])
  for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
    assert.ok(minutes <= 60)
    for (const { uses } of steps) assert.ok(uses === undefined || /^actions\/[\w-]+@v\d+$/.test(uses), uses)
  }
  const [, node, suite] = jobs['test']!.steps
  assert.deepEqual([node!.with, suite!.run], [{ 'node-version-file': '.nvmrc' }, './.ci/run'])
  assert.match(read('.ci/run'), /^\.\/studio docs site\nexec \.\/studio test$/m)
  assert.match(read('.nvmrc'), /^24\./)
  assert.match(JSON.stringify(jobs['oldest-node']!.steps), /\.\/studio start.*\.\/studio say/)
  assert.match(JSON.stringify(jobs['windows']!.steps), /studio\.cmd.*test\/windows\/units\.ts/)
})

test('studio.cmd starts the program as ./studio does', () => {
  const [script, start] = [read('studio'), read('toolchain/start.cjs')]
  const [, options = ''] = /^exec node ((?:--\S+ )+)/m.exec(script) ?? []
  assert.ok(
    start.includes(
      `const OPTIONS = [${options
        .trim()
        .split(' ')
        .map((each) => `'${each}'`)
        .join(', ')}]`,
    ),
    options,
  )
  const [, commands = ''] = /^ {4}(bench(?: \| \w+)+)\) return 0/m.exec(script) ?? []
  assert.ok(
    start.includes(
      `const FOR_DEVELOPERS = [${commands
        .split(' | ')
        .map((each) => `'${each}'`)
        .join(', ')}]`,
    ),
    commands,
  )
  assert.match(start, /major < 22 \|\| \(major === 22 && minor < 18\)/)
  assert.match(read('studio.cmd'), /node "%~dp0toolchain\\start\.cjs" %\*\r\n$/)
  const { stdout, status } = spawnSync(process.execPath, [join(REPOSITORY, 'toolchain/start.cjs'), '--version'], { encoding: 'utf8' })
  assert.equal(status, 0)
  assert.match(stdout, /\(Node /)
})

test('forms of issues have the parts that the forge requires', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: REPOSITORY }).filter((path) => !path.endsWith('config.yml'))
  assert.equal(forms.length, 2)
  for (const path of forms) {
    const form = parseYaml(read(path)) as { name: string; description: string; body: { type: string; id?: string; attributes: object }[] }
    assert.ok(form.name && form.description && form.body.length > 1, path)
    const ids = form.body.flatMap(({ id }) => id ?? [])
    assert.equal(new Set(ids).size, ids.length, path)
    for (const { type, id } of form.body) assert.equal(id === undefined, type === 'markdown', path)
  }
})

test('tasks and launch configurations name scripts and programs that exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  assert.deepEqual(Object.keys(scripts), ['dev', 'test', 'check'])
  const { tasks } = JSON.parse(read('.vscode/tasks.json')) as { tasks: { type: string; script?: string; command?: string }[] }
  for (const { type, script = '', command = '' } of tasks)
    assert.ok(type === 'npm' ? Object.hasOwn(scripts, script) : existsSync(join(REPOSITORY, command)), script + command)
  const { configurations } = JSON.parse(read('.vscode/launch.json')) as { configurations: { name: string; program?: string }[] }
  assert.deepEqual(
    configurations.map(({ name }) => name),
    ['studio', 'agent', 'engine host', 'this test file'],
  )
  for (const { program } of configurations)
    if (program !== undefined && program !== '$' + '{file}')
      assert.ok(existsSync(join(REPOSITORY, program.replace('$' + '{workspaceFolder}', '.'))), program)
  JSON.parse(read('.devcontainer/devcontainer.json'))
})
