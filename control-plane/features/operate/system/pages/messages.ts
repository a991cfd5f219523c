// The texts of the pages in their bundles: for each language a module for each file of its catalogue, and one for those that every page shows. A
// browser loads those of the language that the page names, with the pages that show them.
import { globSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RolldownPlugin } from 'rolldown'
import type { FirstViews } from './folder.ts'

const CATALOGUES = join(import.meta.dirname, '../../../../web/messages')
const ENGLISH = 'en'
/** The module of the texts that every page shows, and its files. */
const FRAME = 'frame'
const OF_EVERY_PAGE: ReadonlySet<string> = new Set(['frame.ts', 'language.ts', 'needs.ts', 'shared.ts'])
const IMPORTED = '#messages/'
/** A virtual module: a file of texts in the language that the page names. */
const PART = '\0texts:'
/** A virtual module: loads the texts of a module in that language. */
const MODULE = '\0text module:'
/** Loads a module of texts in that language by its name. */
const LOADER = join(CATALOGUES, '../texts.ts')
/** A virtual module: the texts of a module in a certain language. */
const ENTRY = '\0language:'
/** A virtual module: a file of texts of the frame, from its module. */
const OF_FRAME = '\0frame:'
const FRAME_MODULE = `./${FRAME}.js`
/** Files that are no texts, and those of pages that have only one language or load their texts by themselves. */
const ALONE: ReadonlySet<string> = new Set(['catalogue.ts', 'sign-in.ts', 'start/design.ts', 'remarks.ts'])

/** A path of Windows is no address of a module. */
const importFile = (path: string) => import(pathToFileURL(path).href)

/** create/dub.ts -> create-dub */
const moduleOf = (file: string): string => (OF_EVERY_PAGE.has(file) ? FRAME : file.replace(/\.ts$/, '').replaceAll('/', '-'))

/** Languages with a catalogue, and what a page shows in each before its scripts run. */
export async function languagesOfPages(): Promise<FirstViews['languages']> {
  const tags = readdirSync(CATALOGUES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  const rows = tags.map(async (tag) => {
    const read = (file: string) => importFile(join(CATALOGUES, tag, file))
    const [{ name, direction }, { strings }] = await Promise.all([read('language.ts'), read('shared.ts')])
    return [tag, { name, direction, loading: strings.loading, noScript: strings.noScript }] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

const filesOf = (language: string): string[] =>
  globSync('**/*.ts', { cwd: join(CATALOGUES, language) })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !ALONE.has(file))
    .sort()

/** Inputs of the bundles with the texts of a language, by the name of the file. The frame is loaded with every page. */
export const textsOf = (language: string): { readonly name: string; readonly input: string; readonly isFrame: boolean }[] =>
  [...new Set(filesOf(language).map(moduleOf))].map((name) => ({
    name,
    input: `${ENTRY}${language}/${name}`,
    isFrame: name === FRAME,
  }))

/**
 * The remarks of the studio with their translations, line by line in turn: no module, because most visitors never need them, and a browser that does
 * has nothing to run. Empty for English.
 */
export async function remarksOf(language: string): Promise<string> {
  const [{ REMARKS }, { remarks }] = await Promise.all([
    importFile(join(CATALOGUES, 'remarks.ts')),
    importFile(join(CATALOGUES, language, 'remarks.ts')),
  ])
  const own: Readonly<Record<string, string>> = remarks
  return Object.entries(REMARKS)
    .flatMap(([id, english]) => (own[id] === undefined ? [] : [`${english}\n${own[id]}\n`]))
    .join('')
}

/** Names that a file of texts exports: in all languages those of English. */
const namesIn = async (file: string): Promise<string[]> => Object.keys(await importFile(join(CATALOGUES, ENGLISH, file)))

async function textModule(language: string, name: string): Promise<string> {
  const files = filesOf(language).filter((file) => moduleOf(file) === name)
  const pathOf = (file: string) => JSON.stringify(join(CATALOGUES, language, file))
  if (name !== FRAME) return `export { ${(await namesIn(files[0]!)).join(', ')} } from ${pathOf(files[0]!)}\n`
  // By their names: a namespace needs a helper that makes it.
  const parts = await Promise.all(
    files.map(async (file, at) => {
      const names = (await namesIn(file)).map((one) => ({ one, own: `${one}${at}` }))
      return {
        import: `import { ${names.map(({ one, own }) => `${one} as ${own}`).join(', ')} } from ${pathOf(file)}`,
        field: `${JSON.stringify(file)}: { ${names.map(({ one, own }) => `${one}: ${own}`).join(', ')} }`,
      }
    }),
  )
  return `${parts.map((part) => part.import).join('\n')}\nexport const texts = { ${parts.map(({ field }) => field).join(', ')} }\n`
}

/** The modules of texts that modules of a bundle load. */
export const textModulesIn = (modules: readonly string[]): string[] =>
  modules.flatMap((id) => (id.startsWith(MODULE) ? [id.slice(MODULE.length)] : []))

/** Lets a module of texts use what the module of the frame has already. */
export const sharedWithFrame = (language: string): RolldownPlugin => ({
  name: 'texts of the frame',
  resolveId(id, importer) {
    if (id === FRAME_MODULE) return { id, external: true }
    const root = join(CATALOGUES, language)
    if (!id.startsWith('.') || !importer?.startsWith(root)) return null
    const file = relative(root, join(dirname(importer), id))
    return moduleOf(file) === FRAME && !file.startsWith('..') ? OF_FRAME + file : null
  },
  load: (id) => (id.startsWith(OF_FRAME) ? exported(id.slice(OF_FRAME.length), FRAME_MODULE) : null),
})
const exported = async (file: string, from: string): Promise<string> =>
  `import { texts } from ${JSON.stringify(from)}\nexport const { ${(await namesIn(file)).join(', ')} } = texts[${JSON.stringify(file)}]\n`

/**
 * Gives `#messages/<file>` the texts of a language. `language`: one that is bundled with its readers; null for the one that the page names when it is
 * loaded, in the attribute data-texts of its first element: the folder of its modules.
 */
export const textsPlugin = (language: string | null): RolldownPlugin => ({
  name: 'messages',
  resolveId(id) {
    if (id.startsWith(ENTRY) || id.startsWith(MODULE)) return id
    if (!id.startsWith(IMPORTED)) return null
    const file = id.slice(IMPORTED.length)
    return language === null && !ALONE.has(file) ? PART + file : join(CATALOGUES, language ?? ENGLISH, file)
  },
  async load(id) {
    if (id.startsWith(ENTRY)) {
      const [own = '', name = ''] = id.slice(ENTRY.length).split('/')
      return textModule(own, name)
    }
    if (id.startsWith(MODULE)) {
      const name = id.slice(MODULE.length)
      const file = filesOf(ENGLISH).find((one) => moduleOf(one) === name)!
      const names = name === FRAME ? ['texts'] : await namesIn(file)
      return `import { textsOf } from ${JSON.stringify(LOADER)}\nexport const { ${names.join(', ')} } = await textsOf(${JSON.stringify(name)})\n`
    }
    if (!id.startsWith(PART)) return null
    const file = id.slice(PART.length)
    const from = moduleOf(file)
    return from === FRAME ? exported(file, MODULE + from) : `export * from ${JSON.stringify(MODULE + from)}\n`
  },
})
