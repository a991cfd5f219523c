// The command line in a copy that has no tools/, as packages have it.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DEVELOPER_COMMANDS } from '#tools/main.ts'
import { type Ended, REPOSITORY, runToEnd, studio } from '../support/world/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'studio-package-'))
after(() => rmSync(folder, { recursive: true }))
for (const name of ['cli', 'shared', 'package.json']) cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true })
symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))

const packaged = (...args: string[]): Promise<Ended> => runToEnd(process.execPath, [join(folder, 'cli/main.ts'), ...args])

test('a package refuses the commands of developers and says who has them', async () => {
  for (const name of new Set(DEVELOPER_COMMANDS.map((command) => command.name).filter((each) => each !== 'setup')))
    for (const args of [[name], [name, '--help'], ['help', name]]) {
      const { code, output, errors } = await packaged(...args)
      assert.deepEqual([code, output], [2, ''], args.join(' '))
      assert.match(errors, new RegExp(`^studio: Unknown command '${name}'\\. It is a command of developers, which only a checkout`))
    }
  const { code, errors } = await packaged('setup', '--tests')
  assert.equal(code, 2)
  assert.match(errors, /^studio: Unknown option '--tests'\./)
})

test('help names the commands of users only, and in a checkout the document for developers', async () => {
  const [inPackage, inCheckout] = [await packaged('help'), await studio(['help'])]
  assert.deepEqual([inPackage.code, inCheckout.code], [0, 0])
  assert.equal(inCheckout.output, `${inPackage.output}Developers: see CONTRIBUTING.md.\n`)
  for (const { usage } of DEVELOPER_COMMANDS) assert.ok(!inCheckout.output.includes(`./studio ${usage}`), usage)
})

test('in a checkout the commands of developers have a help page of their own', async () => {
  for (const [args, text] of [
    [['help', 'test'], '--long'],
    [['check', '--help'], 'Check types'],
    [['setup', '--tests', '--help'], 'setup --tests'],
    [['help', 'setup'], 'Install optional'],
  ] as const) {
    const { code, output } = await studio(args)
    assert.equal(code, 0, args.join(' '))
    assert.ok(output.includes(text), output)
  }
})
