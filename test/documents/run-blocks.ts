// Runs every block of the documents against one studio, and prints a line for each: a program, because it has a network of its own where the
// system can give it one. The studio is the one that the first block of README.md starts. Arguments: a folder, the
// port of the studio, that of its machines, and documents (or none for all).
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { eventually } from '#test/support/world/world.ts'
import { allBlocks, type Block, RUN } from './blocks.ts'
import { makeFiles } from './files.ts'

const [folder = '', port = '3900', machines = '7443', ...only] = process.argv.slice(2)
const [bin, files, home] = ['bin', 'files', 'home'].map((name) => join(folder, name)) as [string, string, string]
const MAX_MS = 100_000
/** Documents at a time: the commands wait for the studio, and the studio for them. */
const LANES = 2
const START = 'README.md'
const folderOf = (document: string) => join(folder, document.replaceAll('/', '-'))

/** `./studio` of the documents. A start goes into the background until it listens; `agent` is the agent of another machine. */
const STUDIO = `#!/bin/bash
main=${folder}/studio-data
studio() { exec '${process.execPath}' '${REPOSITORY}/cli/main.ts' "$@"; }
wait_for() { for ((i = 0; i < 900; i++)); do grep -q "$2" "$1" && return; sleep 0.1; done; cat "$1"; exit 1; }
case "$1" in
  ''|start)
    if [ ! -e ${folder}/studio.pid ]; then
      STUDIO_DATA_DIR=$main studio "$@" > ${folder}/studio.log 2>&1 & echo $! > ${folder}/studio.pid
      wait_for ${folder}/studio.log 'a machine is connected\\|connected'
    else
      export STUDIO_DATA_DIR=$(mktemp -d -p ${folder}) STUDIO_PORT=0
      studio "$@" > $STUDIO_DATA_DIR.log 2>&1 & other=$!
      trap 'kill $other; wait $other' EXIT
      wait_for $STUDIO_DATA_DIR.log 'listens on'
    fi ;;
  agent)
    export STUDIO_DATA_DIR=${folder}/lender
    if [ $# = 1 ]; then
      studio "$@" > ${folder}/agent.log 2>&1 & echo $! >> ${folder}/agents.pid
      for ((i = 0; i < 100; i++)); do [ -s ${folder}/agent.log ] && break; sleep 0.1; done
    else studio "$@"; fi ;;
  *) STUDIO_DATA_DIR=$main studio "$@" ;;
esac
`
/** A refusal fails, as it does for a person who reads the answer. */
const CURL = `#!/bin/sh
exec ${execFileSync('sh', ['-c', 'command -v curl']).toString().trim()} --fail-with-body "$@"
`

type Ran = { readonly code: number | null; readonly output: string; readonly seconds: number }

const env = {
  ...process.env,
  ...{
    HOME: home,
    PATH: `${bin}:${process.env['PATH']}`,
    STUDIO_PORT: port,
    STUDIO_WORKER_PORT: machines,
    STUDIO_WORKER_ENDPOINT_HOST: '127.0.0.1',
  },
  ...{
    XDG_RUNTIME_DIR: undefined,
    DBUS_SESSION_BUS_ADDRESS: undefined,
    CI: undefined,
    XDG_DATA_HOME: undefined,
    XDG_CONFIG_HOME: undefined,
  },
  ...{ NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined },
}

function run(program: string, args: readonly string[], cwd: string): Promise<Ran> {
  const startedAt = performance.now()
  // The output goes to a file, because a program in the background keeps a pipe open.
  const log = `${cwd}.log`
  const child = spawn('sh', ['-c', `exec "$0" "$@" > '${log}' 2>&1 < /dev/null`, program, ...args], { cwd, env, timeout: MAX_MS })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve({ code, output: readFileSync(log, 'utf8'), seconds: (performance.now() - startedAt) / 1000 }))
  })
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** Ends the programs whose ids are lines of the file, if there is one, and waits until they have ended. */
async function endAll(path: string): Promise<void> {
  if (!existsSync(path)) return
  for (const pid of readFileSync(path, 'utf8').trim().split('\n').map(Number)) {
    if (isAlive(pid)) process.kill(pid, 'SIGTERM')
    await eventually(async () => !isAlive(pid))
  }
}

const answerOf = (...words: readonly string[]) =>
  JSON.parse(execFileSync(join(bin, 'studio'), [...words, '--json'], { env: env as NodeJS.ProcessEnv, stdio: 'pipe' }).toString()).data

/** Values of words in capitals, which a reader replaces, too. */
const WORDS: Readonly<Record<string, () => string>> = {
  CODE: () => answerOf('invite', '--label', 'attic', '--endpoint', `127.0.0.1:${machines}`).token,
  ID: () => answerOf('voices')[0].id,
}
const filled = (text: string) => text.replace(/\b[A-Z]+\b/g, (word) => WORDS[word]?.() ?? word).replaceAll('3900', port)

async function runBlock({ language, text }: Block, cwd: string): Promise<Ran> {
  if (language === 'sh') return run('bash', ['-euo', 'pipefail', '-c', filled(text)], cwd)
  const path = join(cwd, `block.${language === 'ts' ? 'ts' : 'py'}`)
  writeFileSync(path, filled(text))
  return run(language === 'ts' ? process.execPath : 'python3', [path], cwd)
}

for (const path of [bin, files, home]) mkdirSync(path, { recursive: true })
for (const [name, text] of [
  ['studio', STUDIO],
  ['curl', CURL],
] as const) {
  writeFileSync(join(bin, name), text)
  chmodSync(join(bin, name), 0o755)
}
const blocks = allBlocks().filter(
  ({ language, mark, document }) => RUN.has(language) && mark === null && (only.length === 0 || only.includes(document)),
)
let failed = 0
/** Files that the examples make, each with more than a header. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['hello.mp3', 'morning.mp3'],
  'docs/api-guide.md': [
    ...['morning.mp3', 'python.mp3', 'node.mp3', 'stream.wav', 'talk-es.mp4', 'novel.m4b', 'novel.mp3'],
    ...['talk.srt', 'lines.json', 'events.txt'],
  ],
  'docs/first-book.md': ['novel.m4b'],
  'docs/first-dub.md': ['talk-es.mp4'],
  'docs/first-voice.md': ['morning.mp3'],
  'docs/ssml.md': ['hello.mp3'],
}
const leastBytes = (name: string) => (/\.(?:srt|json|txt)$/.test(name) ? 40 : 4_000)
/** Runs the blocks of a document one after the other, in a folder of its own. */
async function runDocument(document: string): Promise<void> {
  const cwd = folderOf(document)
  mkdirSync(cwd)
  cpSync(join(bin, 'studio'), join(cwd, 'studio'))
  cpSync(files, cwd, { recursive: true })
  for (const block of blocks.filter((each) => each.document === document)) {
    const { code, output, seconds } = await runBlock(block, cwd)
    if (code !== 0) failed++
    console.log(`${code === 0 ? 'ok' : `FAILED (${code})`} ${seconds.toFixed(1)} s ${document}: ${block.text.split('\n', 1)[0]}`)
    if (code !== 0 || process.env['VOICE_STUDIO_BLOCKS'] !== undefined) console.log(output.replace(/^/gm, '    '))
    if (block === blocks[0] && document === START) await prepare(cwd)
  }
  for (const name of MADE[document] ?? []) {
    const size = statSync(join(cwd, name), { throwIfNoEntry: false })?.size ?? 0
    if (size >= leastBytes(name)) continue
    failed++
    console.log(`FAILED ${document}: ${name} has ${size} bytes`)
  }
  // The next document finds the studio as this one did.
  answerOf('workers', 'use', 'local')
}

/** Once the studio runs: machines may join, and there are files and a voice. */
async function prepare(cwd: string): Promise<void> {
  answerOf('workers', 'on')
  await makeFiles(files, join(bin, 'studio'), env as NodeJS.ProcessEnv)
  if (cwd !== files) cpSync(files, cwd, { recursive: true })
  answerOf('voices', 'add', join(files, 'grandma.wav'), '--name', 'Narrator')
}

try {
  const documents = [...new Set(blocks.map(({ document }) => document))]
  if (documents[0] === START) await runDocument(documents.shift()!)
  else {
    execFileSync(join(bin, 'studio'), { env: env as NodeJS.ProcessEnv })
    await prepare(files)
  }
  const lane = async () => {
    for (let next = documents.shift(); next !== undefined; next = documents.shift()) await runDocument(next)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
} finally {
  for (const name of ['agents.pid', 'studio.pid']) await endAll(join(folder, name))
}
process.exitCode = failed > 0 ? 1 : 0
