import { join, resolve } from 'node:path'
import { type CommandRun, parseArguments, ROOT, refuseArguments } from '#cli/lib/command.ts'
import { writeDocuments } from './documents.ts'

/** Writes the generated documents; with `site` it makes a site of all documents instead, and fails if a link leads nowhere. */
export const run: CommandRun = async ([part, ...args], { cwd, output, errors }) => {
  if (part === 'site') {
    const { values, positionals } = parseArguments(args, { out: { type: 'string' } })
    refuseArguments('docs site', positionals)
    const { buildSite } = await import('./site/build.ts')
    const out = values.out === undefined ? join(ROOT, '.site') : resolve(cwd, values.out)
    const { pages, broken } = buildSite(ROOT, out)
    for (const line of broken) errors.write(`${line}\n`)
    output.write(`${pages} pages in ${out}\n`)
    return broken.length > 0 ? 1 : 0
  }
  refuseArguments('docs', part === undefined ? [] : [part])
  for (const path of await writeDocuments()) output.write(`${path}\n`)
  return 0
}
