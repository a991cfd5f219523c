// The licences of everything of other people in a package, as one file: packages that npm installs with it, and data files with a licence
// beside them.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { ROOT } from '#cli/lib/command.ts'

const Person = z.union([z.string(), z.object({ name: z.string() })])
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string(), author: Person.optional() })

const LICENCE = /^(?:licen[cs]e|copying|copyright|notice)/i
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the
above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR
IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`
/** For the few packages that name their licence and have no file with it. */
const TEXTS: Readonly<Record<string, string>> = { MIT, ISC }

const manifestIn = (folder: string) => Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
const namesIn = (folder: string) => readdirSync(folder).filter((name) => LICENCE.test(name))

/** All licence texts of the package in this folder. Throws for one without a file whose licence is not in TEXTS. */
export function licenceOf(folder: string): string {
  const found = namesIn(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  if (found.length > 0) return found.join('\n')
  const { name, license, author } = manifestIn(folder)
  const text = TEXTS[license]
  if (text === undefined) throw new Error(`${name} has no file with its licence, ${license}.`)
  const owner = typeof author === 'string' ? author : (author?.name ?? 'Microsoft Corporation')
  if (author === undefined && !name.startsWith('onnxruntime')) return `Copyright (c) the authors of ${name}\n\n${text}`
  return `Copyright (c) ${owner}\n\n${text}`
}

/** `places`: folders of packages below `root`. `files`: files of a program, from the root of the project. */
export function licencesOf(root: string, places: readonly string[], files: readonly string[]): string {
  const packages = places.map((place) => {
    const { name, version, license } = manifestIn(join(root, place))
    return [`${name} ${version} (${license})`, licenceOf(join(ROOT, place))] as const
  })
  const folders = [...new Set(files.filter((file) => LICENCE.test(basename(file))).map(dirname))].sort()
  const parts = folders.map((folder) => [`Files in ${folder}`, licenceOf(join(ROOT, folder))] as const)
  const rule = '='.repeat(80)
  return [...packages, ...parts].map(([title, text]) => `${rule}\n${title}\n${rule}\n\n${text.trim()}\n`).join('\n')
}
