// The file behind the command of a package. It is old JavaScript, because its first work is to explain itself to an old Node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#cli/lib/command.ts'

const [, OLDEST = ''] = /^>=(\d+\.\d+)$/.exec(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node) ?? []

/** Settings of V8 and malloc, taken from `./studio`, which gives their reasons. */
function settingsOfStudio(): { options: string[]; environment: Record<string, string> } {
  const script = readFileSync(join(ROOT, 'studio'), 'utf8')
  const [, options] = /^exec node ((?:--\S+ )+)/m.exec(script) ?? []
  const [, variables] = /^export ((?:MALLOC_\w+=\d+ ?)+)$/m.exec(script) ?? []
  if (options === undefined || variables === undefined) throw new Error('./studio has no settings of V8 or malloc where they are expected.')
  return {
    options: options.trim().split(' '),
    environment: Object.fromEntries(
      variables
        .trim()
        .split(' ')
        .map((each) => each.split('=')),
    ),
  }
}

/**
 * Words of commands that print something and end: they need no settings of V8 and malloc, and a second process would cost them 30 ms. Their
 * children get the settings.
 */
export const QUICK_WORDS: readonly string[] = [
  ...['--help', '-h', '--version', '-v', '-V', 'help', 'version'],
  ...['engines', 'history', 'logs', 'models', 'projects', 'status', 'tasks', 'voices', 'workers'],
]

type Start = {
  /** Its name. */
  readonly command: string
  /** The module that it runs. */
  readonly main: string
  /** Names the folder of its compile cache. */
  readonly version: string
  /** The start of the names of the native packages, for a program that does not run without one. */
  readonly native?: string
}

const nativeCheck = (command: string, native: string): string => `var native = '${native}-' + process.platform + '-' + process.arch
try {
  require.resolve(native + '/package.json')
} catch (error) {
  console.error('${command}: The package ' + native + ' is not installed. Install ${command} again with its optional packages. If that does not help, there is none for this kind of machine.')
  process.exit(1)
}
`

export function startFile({ command, main, version, native }: Start): string {
  const { options, environment } = settingsOfStudio()
  const [major, minor] = OLDEST.split('.')
  return `#!/usr/bin/env node
// Starts the program with the settings of V8 and malloc that it was measured with. This file runs on every version of Node.
'use strict'
var now = process.versions.node.split('.').map(Number)
if (now[0] < ${major} || (now[0] === ${major} && now[1] < ${minor})) {
  console.error('${command}: Node ${OLDEST} or newer is required, and this is Node ' + process.versions.node + '. Install a newer one from https://nodejs.org and run the command again.')
  process.exit(1)
}
${native === undefined ? '' : nativeCheck(command, native)}var path = require('path')
var os = require('os')
var cache = { NODE_COMPILE_CACHE: path.join(os.homedir(), '.cache', 'voice-studio', '${version}') }
var env = Object.assign(cache, ${JSON.stringify(environment)}, process.env)
var main = path.join(__dirname, '..', '${main}')
var args = ${JSON.stringify(options)}.concat(main, process.argv.slice(2))
if (${JSON.stringify(QUICK_WORDS)}.indexOf(process.argv[2]) >= 0) {
  Object.assign(process.env, env)
  var modules = require('module')
  modules.enableCompileCache(env.NODE_COMPILE_CACHE)
  process.argv[1] = main
  modules.runMain(main)
} else start()
function start() {
  // The same process goes on, so that signals and process ids mean the program. Windows has no such call.
  if (process.execve && process.platform !== 'win32') process.execve(process.execPath, [process.execPath].concat(args), env)
  var child = require('child_process').spawn(process.execPath, args, { stdio: 'inherit', env: env })
  ;['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal)
    })
  })
  child.on('exit', function (code, signal) {
    process.exitCode = signal ? 128 + (os.constants.signals[signal] || 0) : code
  })
}
`
}
