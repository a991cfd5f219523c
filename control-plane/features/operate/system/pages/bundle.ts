// Bundles the web pages for browsers: TypeScript and JSX become a few modules, and everything that a page loads is copied beside them. A release
// ships the result; a checkout makes it when a page is first requested (build.ts).
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type InputOptions, type OutputChunk, type OutputOptions, type RolldownPlugin, rolldown } from 'rolldown'
import { COMMAND } from '#shared/protocol/version.ts'
import { type FirstViews, LANGUAGE } from './folder.ts'
import { languagesOfPages, remarksOf, sharedWithFrame, textModulesIn, textsOf, textsPlugin } from './messages.ts'

const WEB = join(import.meta.dirname, '../../../../web')
/** Has the name of the command in texts of the pages. */
const NAMES = join(WEB, 'lib/names.ts')
const FRAME = 'app'
/** In this order, as one style sheet of all pages: one request. */
export const SHEETS = ['fonts', 'tokens', 'base', 'controls', 'frame', 'pages']
/** Files that the sign-in page shares with the others; before the sign-in the studio serves its folder only. */
const SIGN_IN_SHARED = ['styles/tokens.css', 'styles/base.css', 'styles/controls.css', 'icon.svg', 'fonts/inter-latin.woff2']
const COPIED = ['index.html', 'icon.svg', 'fonts', 'sign-in/index.html', 'sign-in/sign-in.css']
/** A group without what its modules import: a page that shares something with it would load all of it at once. */
const LATER = { includeDependenciesRecursively: false }
/** Small modules that several pages share: one response instead of one for each. */
const SMALL = [
  {
    name: 'voice',
    test: /[\\/]web[\\/](?:look[\\/](?:sample|voice-print)|voice-picker[\\/](?:picker|rows)|pages[\\/]speak[\\/]draft|lib[\\/]database|frame[\\/]kept)/,
    minShareCount: 2,
  },
  { name: 'parts', test: /[\\/]web[\\/](?:look|lib|frame|pages[\\/]tools[\\/]subtitle-form)[\\/.]/, minShareCount: 2 },
  { name: 'takes', test: /[\\/]web[\\/](?:takes[\\/]|pages[\\/]speak-text[\\/]sentences)/, minShareCount: 2 },
  // One tool alone is smaller than what several files of tools cost.
  { name: 'tools', test: /[\\/]web[\\/]pages[\\/]tools[\\/](?:detect|convert|own-takes|file-button)/ },
  { name: 'machines', test: /[\\/]web[\\/]pages[\\/]machines[\\/](?:state|table|actions|use)\./, minShareCount: 2 },
  // What opens later on one page, where a response for each would be mostly names.
  {
    name: 'machine',
    test: /[\\/]web[\\/]pages[\\/](?:connections[\\/](?!secret)|machines[\\/](?:details|dialogs|where|routing|security|pool))/,
    ...LATER,
  },
  { name: 'new-voice', test: /[\\/]web[\\/](?:pages[\\/]voices[\\/](?:catalogue|clips|clone|design)|frame[\\/]kept[\\/]form)/, ...LATER },
  {
    name: 'dub-later',
    test: /[\\/]web[\\/](?:pages[\\/](?:dub-panel[\\/](?:export|speakers|check|import-note|wait(?:ing|s))|dub-editor[\\/](?:dialogs|inspector|glossary))|lib[\\/]typed-clock)/,
    ...LATER,
  },
  { name: 'dub-start', test: /[\\/]web[\\/]pages[\\/]dub-start[\\/](?:asked|begin|start|choice)/, ...LATER },
  { name: 'dub', test: /[\\/]web[\\/]pages[\\/]dub(?:-editor|-timeline|[\\/](?!languages|upload|list))/, minShareCount: 2 },
]
/** Modules without imports of other responses. `format`: how a browser runs it. */
const ALONE = [
  { source: 'first.ts', format: 'iife' },
  // Runs in the audio thread, which loads it by its own address.
  { source: 'pages/transcribe/capture.ts', format: 'es' },
] as const

/** Options for reading the pages. */
export const INPUT: InputOptions = {
  cwd: WEB,
  platform: 'browser',
  tsconfig: false,
  transform: { target: 'es2024', jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Warnings fail the build, and a slow machine is no fault of the pages.
  checks: { bundlerTimings: false },
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message)
  },
}
/** Annotations are for other bundlers, and none reads these files. */
const OUTPUT: OutputOptions = { minify: true, comments: { annotation: false }, sourcemap: 'hidden' }

const nameOf = (source: string) => source.replace(/\.tsx?$/, '.js')
/** A page is loaded by its name; the name of another part changes with its content, and has no words, which each file that loads it repeats. */
const chunkName = (name: string, facade: string | null | undefined) => {
  const page = /[\\/]pages[\\/]([^\\/]+)[\\/]page\.tsx$/.exec(facade ?? '')?.[1]
  return page === undefined ? `chunk/${name === 'frame' ? 'frame-' : ''}[hash:7].js` : `pages/${page}/page.js`
}

/** Gives the pages the name of the command of a package. Throws where the name that a checkout uses is not found. */
const named = (command: string): RolldownPlugin => ({
  name: 'command',
  load(id) {
    if (id !== NAMES) return null
    const code = readFileSync(NAMES, 'utf8')
    const own = `COMMAND = '${COMMAND}'`
    if (!code.includes(own)) throw new Error(`${NAMES} does not contain ${own}.`)
    return code.replace(own, `COMMAND = '${command}'`)
  },
})

/** A file that only gives exports of another file their names, for views that are loaded when they are opened. */
const FACADE = /^export\{([\w ,]{1,200})\}from"\.\/([\w-]{7}\.js)";\s?$/
/** Uses of one export of such a file, as the bundler writes them. */
const VIEW = /([\w-]{7}\.js)`\)\.then\(\(\{(\w{1,80}):(\w{1,8})\}\)=>(\w{1,8})\)/g
const RENAMED = /([\w-]{7}\.js)`\)\.then\(\(\{(\w{1,80}):/g
const FIELD = /([\w-]{7}\.js)`\)\.then\((\w{1,8})=>(\w{1,8})\.(\w{1,80})/g
const AWAITED = /([\w-]{7}\.js)`\)\)\.(\w{1,80})/g
const TAKEN = /\{(\w{1,80}):(\w{1,8})\}=await import\(`([./a-z]{0,20})([\w-]{7}\.js)`\)/g

/** Loads such views from the file that has them: one response less for each. The length stays, so that the source maps still fit. */
const withoutFacades: RolldownPlugin = {
  name: 'facades',
  generateBundle(_options, files) {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk')
    const facades = new Map(
      chunks.flatMap(({ fileName, code }) => {
        const [, names = '', target] = FACADE.exec(code) ?? []
        const pairs = names
          .split(',')
          .map((one) => one.split(' as '))
          .map(([short = '', name = short]): [string, string] => [name, short])
        return target === undefined ? [] : [[basename(fileName), { target, shorts: new Map(pairs) }] as const]
      }),
    )
    /** `write`: the use with the name of the file, and the name of the export there. */
    const use = (found: string, file = '', name = '', write: (target: string, short: string) => string | null) => {
      const { target = '', shorts } = facades.get(file) ?? {}
      const short = shorts?.get(name)
      return (short === undefined ? null : write(target, short))?.padEnd(found.length) ?? found
    }
    for (const chunk of chunks)
      chunk.code = chunk.code
        .replace(VIEW, (found, file, name, one, given) =>
          use(found, file, name, (to, short) => (one === given ? `${to}\`).then(e=>e.${short})` : null)),
        )
        .replace(RENAMED, (found, file, name) => use(found, file, name, (to, short) => `${to}\`).then(({${short}:`))
        .replace(FIELD, (found, file, one, from, name) =>
          use(found, file, name, (to, short) => (one === from ? `${to}\`).then(${one}=>${one}.${short}` : null)),
        )
        .replace(AWAITED, (found, file, name) => use(found, file, name, (to, short) => `${to}\`)).${short}`))
        .replace(TAKEN, (found, name, one, folder, file) =>
          use(found, file, name, (to, short) => `{${short}:${one}}=await import(\`${folder}${to}\`)`),
        )
    for (const { fileName } of chunks) {
      const own = basename(fileName)
      if (facades.has(own) && !chunks.some((chunk) => chunk.fileName !== fileName && chunk.code.includes(own))) delete files[fileName]
    }
  },
}

async function write(to: string, input: InputOptions, output: OutputOptions): Promise<OutputChunk[]> {
  const bundle = await rolldown({ ...INPUT, ...input })
  try {
    const { output: files } = await bundle.write({ ...OUTPUT, dir: to, ...output })
    return files.filter((file) => file.type === 'chunk')
  } finally {
    await bundle.close()
  }
}

/** The files that `name` imports before it runs, itself left out. */
function needsOf(name: string, chunks: ReadonlyMap<string, OutputChunk>): string[] {
  const needed = new Set<string>([name])
  for (const one of needed) for (const other of chunks.get(one)?.imports ?? []) needed.add(other)
  return [...needed].filter((one) => one !== name)
}

/** The files with texts that these load, for the language that takes the place of LANGUAGE. */
const textsFor = (names: readonly string[], chunks: ReadonlyMap<string, OutputChunk>): string[] => [
  ...new Set(names.flatMap((name) => textModulesIn(chunks.get(name)?.moduleIds ?? []).map((texts) => `texts/${LANGUAGE}/${texts}.js`))),
]

function firstViews(chunks: readonly OutputChunk[], languages: FirstViews['languages']): FirstViews {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const ofFrame = needsOf(`${FRAME}.js`, byName)
  const frame = [...ofFrame, ...textsFor(ofFrame, byName)]
  const isPage = (name: string) => /^pages\/[^/]+\/page\.js$/.test(name)
  const pages = [...byName.keys()].filter(isPage).map((name): [string, string[]] => {
    const needed = needsOf(name, byName).filter((one) => one !== `${FRAME}.js` && !frame.includes(one))
    return [basename(dirname(name)), [...needed, ...textsFor([name, ...needed], byName).filter((one) => !frame.includes(one))]]
  })
  return { frame, pages: Object.fromEntries(pages), languages }
}

/**
 * Writes everything that browsers load into the folder `to`. `command`: name of the command in texts of the pages. Throws with the place in the
 * source when a module cannot be read.
 */
export async function bundlePages({ to, command = COMMAND }: { readonly to: string; readonly command?: string }): Promise<void> {
  const name = named(command)
  const plugins = [name, textsPlugin(null)]
  const chunks = await write(
    to,
    { input: { [FRAME]: join(WEB, 'app.tsx') }, plugins: [...plugins, withoutFacades], preserveEntrySignatures: false },
    {
      chunkFileNames: ({ name, facadeModuleId }) => chunkName(name, facadeModuleId),
      // What the frame imports is one response with it: without this there is one for each set of parts that share a module.
      codeSplitting: {
        groups: [{ name: 'frame', tags: ['$initial'] }, ...SMALL],
      },
    },
  )
  for (const { source, format } of ALONE)
    await write(to, { input: join(WEB, source), plugins }, { format, entryFileNames: nameOf(source), codeSplitting: false })
  const languages = await languagesOfPages()
  for (const language of Object.keys(languages)) {
    const plugins = [name, textsPlugin(language)]
    for (const { name, input, isFrame } of textsOf(language))
      await write(
        to,
        { input, plugins: isFrame ? plugins : [...plugins, sharedWithFrame(language)] },
        { entryFileNames: `texts/${language}/${name}.js`, codeSplitting: false },
      )
    const remarks = await remarksOf(language)
    // English has none, and an empty file would look like one that a power cut left.
    if (remarks !== '') writeFileSync(join(to, `texts/${language}/remarks.txt`), remarks)
    await write(to, { input: join(WEB, 'sign-in/page.ts'), plugins }, { entryFileNames: `sign-in/${language}.js`, codeSplitting: false })
  }
  for (const name of COPIED) cpSync(join(WEB, name), join(to, name), { recursive: true })
  for (const name of SIGN_IN_SHARED) cpSync(join(WEB, name), join(to, 'sign-in', basename(name)))
  mkdirSync(join(to, 'styles'), { recursive: true })
  writeFileSync(join(to, 'styles/studio.css'), SHEETS.map((name) => readFileSync(join(WEB, 'styles', `${name}.css`), 'utf8')).join('\n'))
  writeFileSync(join(to, 'first-views.json'), JSON.stringify(firstViews(chunks, languages)))
}
