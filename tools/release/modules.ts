// The modules of a program: found by the files that they name, and turned into JavaScript, because Node does not read TypeScript below
// node_modules. Types become blanks, so each line and column stays where it was.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { ROOT } from '#cli/lib/command.ts'

/** Folders of the programs; nothing else of a checkout is shipped. */
const ROOMS = /^(?:agent|cli|control-plane|proto|shared)\//
/** The bundler of the pages, which are shipped as bundles. */
const NOT_SHIPPED: ReadonlySet<string> = new Set(['control-plane/features/operate/system/pages/bundle.ts'])

/** A literal that may name a file or a package. */
const LITERAL = /(['"])([#@./\w-]+)\1/g
/** An import of TypeScript. */
const OWN_IMPORT = /\b(?:from|import)\s{0,9}\(?\s{0,9}['"]([.#][^'"]*\.ts)['"]/g
const isFile = (path: string) => existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile()

/** The file of this program that a literal of the module `from` names: by an import, by a path from its folder, or by one from the root. */
function fileNamed(literal: string, from: string): string | null {
  const paths = literal.startsWith('#') ? [literal.slice(1)] : [join(dirname(from), literal), literal]
  return paths.find((path) => ROOMS.test(path) && !NOT_SHIPPED.has(path) && isFile(path)) ?? null
}
const packageNamed = (literal: string): string =>
  literal
    .split('/')
    .slice(0, literal.startsWith('@') ? 2 : 1)
    .join('/')

/** `packages`: those of `known` that a module names. `files`: sorted. */
export type Reached = { readonly files: readonly string[]; readonly packages: ReadonlySet<string> }

/** The modules and files that a program reaches from its entry. */
export function reachedFrom(entry: string, known: ReadonlySet<string>): Reached {
  const files = new Set([entry])
  const packages = new Set<string>()
  for (const file of files) {
    if (!file.endsWith('.ts')) continue
    for (const [, , literal = ''] of plain(file).matchAll(LITERAL)) {
      const named = fileNamed(literal, file)
      if (named !== null) files.add(named)
      else if (known.has(packageNamed(literal))) packages.add(packageNamed(literal))
    }
  }
  return { files: [...files].sort(), packages }
}

const plain = (file: string): string => stripTypeScriptTypes(readFileSync(join(ROOT, file), 'utf8'))

/** Path of a file in a package. */
export const shippedPath = (file: string): string => file.replace(/\.ts$/, '.js')

/** The module as JavaScript: every literal that names another module names what that one becomes. Throws for an import that leads nowhere. */
export function shippedModule(file: string): string {
  const code = plain(file).replace(LITERAL, (whole, quote: string, literal: string) =>
    fileNamed(literal, file) === null ? whole : quote + shippedPath(literal) + quote,
  )
  for (const [, specifier = ''] of code.matchAll(OWN_IMPORT))
    if (!NOT_SHIPPED.has(join(dirname(file), specifier))) throw new Error(`${file} imports ${specifier}, which is not shipped.`)
  return code.replace(/[ \t]+$/gm, '')
}
