// Pages of the site of documents: which files they are made of, and the groups of their navigation. A document without a group is refused.
import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A page. `source` and `address` are paths from the root of the repository and of the site. */
export type SitePage = { readonly source: string; readonly address: string }
export type SiteGroup = { readonly title: string; readonly pages: readonly SitePage[] }

const docs = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`)

const GROUPS: readonly (readonly [title: string, sources: readonly string[]])[] = [
  ['Start', ['README.md', ...docs('first-voice', 'first-book', 'first-dub', 'first-lender', 'platforms', 'comparison')]],
  ['Create', docs('voices', 'voice-bundles', 'audiobooks', 'dubbing', 'translation', 'dictation', 'ssml', 'models', 'engines')],
  ['Lend', docs('lending', 'pool', 'gpu', 'identity', 'sidecar')],
  [
    'Operate',
    [
      ...docs(
        'service',
        'updating',
        'backup',
        'moving',
        'monitoring',
        'proxy',
        'access',
        'people',
        'security-model',
        'security',
        'troubleshooting',
      ),
      'deploy/README.md',
    ],
  ],
  ['Build', [...docs('api-guide', 'openai', 'integrations', 'mcp', 'sdk', 'debugging', 'releasing', 'conformance'), 'CONTRIBUTING.md']],
  ['Reference', [...docs('cli', 'settings', 'errors', 'glossary', 'task-lifecycle'), 'SECURITY.md', 'CHANGELOG.md', 'docs/adr']],
]

/** The groups of the navigation with their pages; `docs/adr` stands for its documents. Throws for a document of `docs` without a group. */
export function siteGroups(root: string): readonly SiteGroup[] {
  const folder = (path: string) =>
    readdirSync(join(root, path))
      .filter((name) => name.endsWith('.md') && !name.startsWith('0000-'))
      .sort()
      .map((name) => `${path}/${name}`)
  const groups = GROUPS.map(([title, sources]) => ({
    title,
    pages: sources
      .flatMap((source) => (source.endsWith('.md') ? [source] : folder(source)))
      .map((source) => ({ source, address: addressOfPage(source) })),
  }))
  const listed = new Set(groups.flatMap(({ pages }) => pages.map(({ source }) => source)))
  const without = folder('docs').filter((source) => !listed.has(source))
  const missing = [...listed].filter((source) => !existsSync(join(root, source)))
  if (without.length > 0) throw new Error(`${without.join(', ')}: in no group of tools/docs/site/pages.ts.`)
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: tools/docs/site/pages.ts names a document that does not exist.`)
  return groups
}

/** `docs/errors.md` is `docs/errors.html`, and a README is the index of its folder. */
export const addressOfPage = (source: string): string =>
  posix.join(
    posix.dirname(source),
    posix.basename(source) === 'README.md' ? 'index.html' : posix.basename(source).replace(/\.md$/, '.html'),
  )
