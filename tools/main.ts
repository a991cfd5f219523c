// The commands of developers. The command line loads this file in a checkout, where it exists; packages do not contain it.
import type { Command } from '#cli/lib/command.ts'

const TOOLS: readonly Command[] = [
  {
    name: 'test',
    group: 'develop',
    usage: 'test [PATHS]',
    line: 'Run the tests; with CI=true also the checks',
    options: [
      ['--long', 'Also run the tests that take minutes each'],
      ['--test-…', 'Options of the Node test runner, such as --test-name-pattern=WORD'],
    ],
    load: () => import('#tools/test/command.ts'),
  },
  {
    name: 'dev',
    group: 'develop',
    usage: 'dev',
    line: 'Start the studio for development, again after each change',
    load: () => import('#tools/dev/command.ts'),
  },
  {
    name: 'check',
    group: 'develop',
    usage: 'check',
    line: 'Check types, lint and documents',
    load: () => import('#tools/check/command.ts'),
  },
  {
    name: 'docs',
    group: 'develop',
    usage: 'docs [site]',
    line: 'Write the generated documents, or a site of all of them',
    options: [['site --out DIR', 'Make the site in this folder instead of .site; a broken link fails']],
    load: () => import('#tools/docs/command.ts'),
  },
  {
    name: 'bench',
    group: 'develop',
    usage: 'bench [NAMES]',
    line: 'Run the benchmarks, all or some',
    load: () => import('#tools/bench/command.ts'),
  },
  {
    name: 'release',
    group: 'develop',
    usage: 'release pack|cut',
    line: 'Build the packages; make a version of them',
    options: [
      ['pack --out DIR', 'Build the packages in an empty folder'],
      ['--draft', 'Also from a tree with changes; the packages name no commit'],
      ['cut VERSION --out DIR', 'Commit and tag a version, and build its files; publishes nothing'],
      ['--key FILE', 'Sign the checksums with this Ed25519 key'],
      ['--dry-run', 'Build the files without changing the checkout'],
    ],
    load: () => import('#tools/release/command.ts'),
  },
]

/** Adds a flag to a command of users, so it runs in the place of that command only when the flag is given. */
const SETUP: Command = {
  name: 'setup',
  group: 'develop',
  usage: 'setup --tests',
  line: 'Also install the programs that tests need',
  options: [['--yes', 'Do not ask for confirmation']],
  load: () => import('#tools/setup/command.ts'),
}

export const DEVELOPER_COMMANDS: readonly Command[] = [...TOOLS, SETUP]

/** The command that runs for the words after `./studio`; undefined if it is none of developers. */
export const commandFor = ([name, ...args]: readonly string[]): Command | undefined =>
  name === SETUP.name ? (args.includes('--tests') ? SETUP : undefined) : TOOLS.find((tool) => tool.name === name)
