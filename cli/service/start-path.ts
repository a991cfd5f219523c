// Folder of the programs: `program/VERSION/` in the data folder. `program/current` is a link to the one that runs, on Windows a file with its version.
import { pathsOf, type ServicePlace } from './place.ts'

type InData = Pick<ServicePlace, 'platform' | 'dataDir'>

export const programsFolder = ({ platform, dataDir }: InData): string => pathsOf(platform).join(dataDir, 'program')

/** The file that always starts the current version of a command. On Windows it is the one that START_CURRENT is written to. */
export const programStart = (place: InData, command: string): string =>
  place.platform === 'win32'
    ? pathsOf('win32').join(programsFolder(place), 'start.cjs')
    : pathsOf(place.platform).join(programsFolder(place), 'current', 'bin', `${command}.cjs`)

/** Windows lets no ordinary user make a link, so a file reads the version. Its first argument is the command. */
export const START_CURRENT = `// Starts the current version of a program.
'use strict'
var path = require('path')
var version = require('fs').readFileSync(path.join(__dirname, 'current.txt'), 'utf8').trim()
var command = process.argv.splice(2, 1)[0]
require(path.join(__dirname, version, 'bin', command + '.cjs'))
`
