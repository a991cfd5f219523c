// A PATH with an apt-get that records its calls, for the tests of `setup`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { setupUnattended } from '#tools/setup/command.ts'
import { studio } from '../world/cli.ts'
import { programFolder } from '../world/programs.ts'

// Records its arguments; `install` succeeds once the file named in `needs` exists.
export const APT = `echo "$DEBIAN_FRONTEND $*" >> "\${0%/*}/log"
case $1 in
  update) touch "\${0%/*}/updated" ;;
  install) [ -e "\${0%/*}/$(cat "\${0%/*}/needs")" ] || { echo "E: Unable to locate package"; exit 100; } ;;
esac`

/** A machine that has only these programs. `needs`: the file that makes `install` succeed. */
export function openMachine(t: TestContext, scripts: Record<string, string>, needs = 'log') {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // `sudo` is faked for test runs without root.
  const sudo = '[ "$1" != -n ] || shift\nexec "$@"'
  const path = programFolder(folder, { sudo, ...scripts }, ['env', 'touch', 'cat', 'sh', 'true'])
  writeFileSync(join(folder, 'needs'), needs)
  return {
    setup: (...args: string[]) => studio(['setup', ...args], { env: { PATH: path } }),
    // Returns the error output.
    unattended: async () => {
      const errors = new PassThrough()
      const [input, output] = [new PassThrough(), new PassThrough().resume()]
      await setupUnattended({ env: { PATH: path }, cwd: folder, input, output, errors, interrupted: () => t.signal })
      return text(errors.end())
    },
    calls: () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n'),
  }
}
