// Reads the source tree the way the architecture tests see it: paths, texts and the imports between them.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A file by its path from the root. The rules take lists of these, so that a test can hand them made-up ones. */
export type Source = { readonly path: string; readonly text: string }

// What is fetched or made is no source.
const SKIPPED: ReadonlySet<string> = new Set([
  '.git',
  '.toolchain',
  'node_modules',
  'certs-dev/out',
  'control-plane/web/dist',
  'test/out',
  '.site',
])

/** Every text file of the tree; a file with a NUL byte is no text. */
export function allSources(folder = ''): Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (SKIPPED.has(path) || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return allSources(path)
    if (!entry.isFile()) return []
    const text = readFileSync(join(ROOT, path), 'utf8')
    return text.includes('\0') ? [] : [{ path, text }]
  })
}

export const typescript = (sources: readonly Source[]): Source[] => sources.filter(({ path }) => /\.tsx?$/.test(path))

/** `target` is a path from the root for a file of ours, else the name of a package; `specifier` is what the source says. */
export type Import = { readonly target: string; readonly specifier: string; readonly kind: 'value' | 'type' | 'dynamic' }

/** The catalogue that the pages show, as package.json says. */
const MESSAGES = /^#messages\//
const CATALOGUE = 'control-plane/web/messages/en/'

const STATIC = /^(?:import|export)(?<type>\s+type\b)?(?:[\w\s{},*]*\bfrom)?\s*['"](?<specifier>[^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"](?<specifier>[^'"]+)['"]/g

export function importsOf({ path, text }: Source): Import[] {
  const named = (specifier = '') => ({
    target: specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier))
      : specifier.replace(MESSAGES, CATALOGUE).replace(/^#/, ''),
    specifier,
  })
  return [
    ...[...text.matchAll(STATIC)].map(
      ({ groups }): Import => ({ ...named(groups?.['specifier']), kind: groups?.['type'] ? 'type' : 'value' }),
    ),
    ...[...text.matchAll(DYNAMIC)].map(({ groups }): Import => ({ ...named(groups?.['specifier']), kind: 'dynamic' })),
  ]
}
