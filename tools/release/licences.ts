// The licences of everything of other people in a package, as one file: packages that npm installs with it, and data files with a licence
// beside them.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { ROOT } from '#cli/lib/command.ts'

const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string() })

const LICENCE = /^(?:licen[cs]e|copying|copyright|notice)/i
/** Licences of the few packages that name one and have no file with it; texts/ has them. */
const TEXTS: readonly string[] = ['MIT', 'ISC']
/** Right holders of these packages, as the licence in their repository names them. The manifest names who published it, at best. */
const HOLDERS: Readonly<Record<string, string>> = {
  '@tokenizer/token': 'Borewit',
  'abstract-logging': 'James Sumners',
  'onnxruntime-common': 'Microsoft Corporation',
  'onnxruntime-node': 'Microsoft Corporation',
  saxes: 'Contributors',
}

/** True for the path of a file with a licence; our modules about notices are none. */
export const isLicence = (file: string): boolean => LICENCE.test(basename(file)) && !/\.[jt]sx?$/.test(file)

/** Names of the licences of the models and data that travel with a program, by a sentence of the text. */
const NAMES: readonly (readonly [sentence: string, name: string])[] = [
  ['MIT License', 'MIT'],
  ['Apache License', 'Apache-2.0'],
  ['SIL Open Font License, Version 1.1', 'OFL-1.1'],
]
/** The name of the licence in a folder, as SPDX lists it. Throws for a text that is in no row of NAMES. */
export function licenceNameIn(folder: string): string {
  const text = readFileSync(join(folder, 'LICENSE'), 'utf8').slice(0, 2000)
  const row = NAMES.find(([sentence]) => text.includes(sentence))
  if (!row) throw new Error(`${folder}/LICENSE is a licence that tools/release/licences.ts does not name.`)
  return row[1]
}

const manifestIn = (folder: string) => Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
const namesIn = (folder: string) => readdirSync(folder).filter(isLicence)

/** All licence texts of the package in this folder. Throws for one without a file whose holder is not in HOLDERS. */
export function licenceTextOf(folder: string): string {
  const found = namesIn(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  if (found.length > 0) return found.join('\n')
  const { name, license } = manifestIn(folder)
  const holder = HOLDERS[name]
  if (!TEXTS.includes(license) || holder === undefined) throw new Error(`${name} has no file with its licence, ${license}.`)
  return `Copyright (c) ${holder}\n\n${readFileSync(join(import.meta.dirname, 'texts', license, 'LICENSE'), 'utf8')}`
}

/** `places`: of packages in the lock file. `files`: files of a program, from the root of the project. */
export function licencesOf(places: readonly string[], files: readonly string[]): string {
  const packages = places.map((place) => {
    const { name, version, license } = manifestIn(join(ROOT, place))
    return [`${name} ${version} (${license})`, licenceTextOf(join(ROOT, place))] as const
  })
  const folders = [...new Set(files.filter(isLicence).map(dirname))].sort()
  const parts = folders.map((folder) => [`Files in ${folder}`, licenceTextOf(join(ROOT, folder))] as const)
  const rule = '='.repeat(80)
  return [...packages, ...parts].map(([title, text]) => `${rule}\n${title}\n${rule}\n\n${text.trim()}\n`).join('\n')
}
