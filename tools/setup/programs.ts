// Programs that only the tests need.
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT, type Terminal } from '#cli/lib/command.ts'
import { captureIn } from '#cli/lib/install-programs.ts'
import type { Program } from '#cli/lib/programs.ts'

/** Folder of the programs that were taken out of packages. */
const PROGRAM_FOLDER = join(ROOT, '.toolchain/programs')
export const programPath = (path: string | undefined): string => [PROGRAM_FOLDER, path ?? ''].join(delimiter)

/** Packages with the digests of all that they need: the oldest Node that the README promises, and a registry of packages. */
const OLDEST_NODE = join(ROOT, 'tools/setup/oldest-node')
const REGISTRY = join(ROOT, 'tools/setup/registry')

export const TEST_PROGRAMS: readonly Program[] = [
  // Chromium without its windows: a page costs the tests half of the processor time that it costs in the whole browser.
  {
    program: 'chromium-headless-shell',
    alternatives: ['chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium-headless-shell',
    sizeMegabytes: 290,
    adds: 'the tests that run the web studio in a real browser',
  },
  {
    program: 'promtool',
    package: 'prometheus',
    // Installing the package would start a service.
    takeOut: (terminal) => takeOutOfDebian('promtool', { package: 'prometheus', file: './usr/bin/promtool' }, PROGRAM_FOLDER, terminal),
    sizeMegabytes: 48,
    adds: 'the test that the metrics have the form that Prometheus expects',
  },
  {
    program: 'noto-fonts',
    file: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
    package: 'fonts-noto-cjk',
    with: ['fonts-noto-core'],
    sizeMegabytes: 134,
    adds: 'the tests of the pages in Arabic, Chinese, Hindi and Japanese',
  },
  {
    program: 'apertium-eng-cat',
    file: '/usr/share/apertium/modes/eng-cat.mode',
    package: 'apertium-eng-cat',
    sizeMegabytes: 30,
    adds: 'the test that films are dubbed into two languages',
  },
  {
    program: 'postgresql',
    file: '/usr/share/doc/postgresql/copyright',
    package: 'postgresql',
    sizeMegabytes: 62,
    adds: 'the tests of a pool whose state is in PostgreSQL',
  },
  // Their services do not start where the system has no rings for them; the tests start processes of their own.
  {
    program: 'swift-proxy-server',
    package: 'swift-proxy',
    with: ['swift-account', 'swift-container', 'swift-object', 'memcached'],
    sizeMegabytes: 95,
    adds: 'the tests that audio files are kept in a store with the interface of S3',
  },
  { program: 'strace', package: 'strace', sizeMegabytes: 3, adds: 'the test that nothing leaves the machine unasked' },
  { program: 'ip', package: 'iproute2', sizeMegabytes: 3, adds: 'the network of that test' },
  {
    program: 'node-22.18',
    package: `node-linux-${process.arch}`,
    takeOut: (terminal) => takeOutOfNpm('node-22.18', PROGRAM_FOLDER, terminal),
    sizeMegabytes: 116,
    adds: 'the test that studio and agent run on the oldest supported Node',
  },
  {
    program: 'verdaccio',
    package: 'verdaccio',
    takeOut: (terminal) => takeCommandOutOfNpm('verdaccio', PROGRAM_FOLDER, terminal),
    sizeMegabytes: 58,
    adds: 'the long test that one line of npx lends a machine, with a registry on this machine',
  },
]

/** Downloads a Debian package and writes its `file` to `folder`, as an executable with the name of the program. */
export function takeOutOfDebian(
  program: string,
  from: { readonly package: string; readonly file: string },
  folder: string,
  terminal: Terminal,
) {
  mkdirSync(folder, { recursive: true })
  const script = [
    'set -e; cd "$1"; rm -f "$2"_*.deb',
    'apt-get -o APT::Sandbox::User=root download "$2"',
    'dpkg-deb --fsys-tarfile "$2"_*.deb > "$4.tar"; tar -x -O -f "$4.tar" "$3" > "$4.part"; rm -f "$2"_*.deb "$4.tar"',
    'chmod +x "$4.part"; mv "$4.part" "$4"',
  ].join('\n')
  return captureIn(terminal, ['sh', '-c', script, 'sh', folder, from.package, from.file, program])
}

const INSTALL = 'npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error'

/** Installs the packages of REGISTRY beside `folder/PROGRAM`, which is a link to the command of one of them. */
function takeCommandOutOfNpm(program: string, folder: string, terminal: Terminal) {
  mkdirSync(folder, { recursive: true })
  const script = [
    'set -e; rm -rf "$1/$2.part" "$1/$2.packages"; mkdir "$1/$2.part"; cp "$3"/*.json "$1/$2.part"; cd "$1/$2.part"',
    INSTALL,
    'cd ..; mv "$2.part" "$2.packages"',
    'ln -sfn "$2.packages/node_modules/.bin/$2" "$2"',
  ].join('\n')
  return captureIn(terminal, ['sh', '-c', script, 'sh', folder, program, REGISTRY])
}

/** Installs the packages of OLDEST_NODE beside `folder` and moves their `node` to it, under the name of the program. */
function takeOutOfNpm(program: string, folder: string, terminal: Terminal) {
  mkdirSync(folder, { recursive: true })
  const script = [
    'set -e; rm -rf "$1/$2.part"; mkdir "$1/$2.part"; cp "$3"/*.json "$1/$2.part"; cd "$1/$2.part"',
    INSTALL,
    'mv node_modules/node-linux-*/bin/node "../$2"; cd ..; rm -rf "$2.part"',
  ].join('\n')
  return captureIn(terminal, ['sh', '-c', script, 'sh', folder, program, OLDEST_NODE])
}
