// What ./studio does, where there is no shell for it: studio.cmd runs this file. It runs on every version of Node. Node itself is not downloaded here.
'use strict'
const { spawn, spawnSync } = require('node:child_process')
const { constants } = require('node:os')
const { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')
const state = path.join(root, '.toolchain')
const lock = path.join(root, 'package-lock.json')
/** The same as in ./studio, where the reasons are. */
const OPTIONS = ['--max-semi-space-size=8']
const FOR_DEVELOPERS = ['bench', 'check', 'docs', 'release', 'test']

function fail(message) {
  console.error(`studio: ${message}`)
  process.exit(1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18))
  fail(`Node 22.18 or newer is required, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`)

/** True if the packages of this lock file were installed to their end. */
function isInstalled(name) {
  const copy = path.join(state, name)
  return existsSync(path.join(root, 'node_modules')) && existsSync(copy) && readFileSync(copy, 'utf8') === readFileSync(lock, 'utf8')
}

function install(name, dev) {
  console.error('studio: installing packages, which takes one to two minutes (once per update)')
  mkdirSync(state, { recursive: true })
  rmSync(path.join(state, name), { force: true })
  const args = ['ci', '--ignore-scripts', `--${dev}=dev`, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  // npm is a script there, which needs a shell; no argument comes from outside.
  const npm = process.platform === 'win32' ? ['cmd.exe', '/d', '/c', 'npm.cmd'] : ['npm']
  const { status } = spawnSync(npm[0], npm.slice(1).concat(args), { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) fail('npm could not install the packages of package-lock.json. Run the command again to retry.')
  prune()
  for (const each of dev === 'include' ? ['tools.json', 'installed.json'] : ['installed.json']) copyFileSync(lock, path.join(state, each))
}

/** The runtime of neural networks comes with binaries for every system, 230 MB of which no other system can use. */
function prune() {
  const folder = path.join(root, 'node_modules/onnxruntime-node/bin/napi-v6')
  for (const system of existsSync(folder) ? readdirSync(folder) : [])
    for (const processor of readdirSync(path.join(folder, system)))
      if (system !== process.platform || processor !== process.arch) rmSync(path.join(folder, system, processor), { recursive: true, force: true })
}

const args = process.argv.slice(2)
if (FOR_DEVELOPERS.includes(args[0]) && !isInstalled('tools.json')) install('tools.json', 'include')
else if (!isInstalled('installed.json')) install('installed.json', existsSync(path.join(state, 'tools.json')) ? 'include' : 'omit')

const cache = process.env.NODE_COMPILE_CACHE || path.join(state, 'compile-cache')
const command = OPTIONS.concat(path.join(root, 'cli/main.ts'), args)
const child = spawn(process.execPath, command, { stdio: 'inherit', env: Object.assign({}, process.env, { NODE_COMPILE_CACHE: cache }) })
// Ctrl-C reaches both processes of a terminal; the program decides when it ends.
for (const signal of ['SIGINT', 'SIGBREAK', 'SIGHUP']) if (constants.signals[signal]) process.on(signal, () => {})
child.on('error', (error) => fail(`Node could not be started (${error.message}).`))
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 128 + (constants.signals[signal] || 0) : code
})
