// Joins the modules of the web pages for sending: a browser takes about as long for a small response as for a large one, and a page has 30 to 50
// modules. The frame is one response; every module that is imported later is one, with what it needs and what has not run by then. What several
// of them need is in the response before them, or in the frame. A module stays a scope of its own and runs once, also when two responses contain it.
import { dirname, join, relative } from 'node:path'

/** Name in the responses: the exports of each module that has run, by the number of the module. Names would add 2 KB to the responses. */
const LOADED = 'loaded'

const IMPORT = /^import (?:(\w+)|\{([^{}]*)\}) from '([^']+)'$/gm
const PASSED_ON = /^export \{([^{}]*)\} from '([^']+)'$/gm
const EXPORT = /^export (?=(?:async function|function|const|class) (\w+))/gm
const LATER = /\bimport\('(\.[^']+)'\)/g

type Module = {
  readonly text: string
  readonly imports: readonly string[]
  readonly libraries: readonly string[]
  /** Imported with `import()`. */
  readonly later: readonly string[]
  /** Names of its own. */
  readonly exports: readonly string[]
  /** Names of other modules. */
  readonly passedOn: readonly { readonly name: string; readonly specifier: string }[]
}

const isOurs = (specifier: string) => specifier.startsWith('.')
const specifierFrom = (folder: string, name: string) => {
  const path = relative(folder, name)
  return isOurs(path) ? path : `./${path}`
}

function read(name: string, text: string): Module {
  const nameOf = (specifier: string) => join(dirname(name), specifier)
  const passedOn = [...text.matchAll(PASSED_ON)].flatMap(([, names, specifier]) =>
    names!.split(',').map((one) => ({ name: one.trim(), specifier: specifier! })),
  )
  const specifiers = [...[...text.matchAll(IMPORT)].map(([, , , specifier]) => specifier!), ...passedOn.map(({ specifier }) => specifier)]
  return {
    text,
    imports: specifiers.filter(isOurs).map(nameOf),
    libraries: specifiers.filter((specifier) => !isOurs(specifier)),
    later: [...text.matchAll(LATER)].map(([, specifier]) => nameOf(specifier!)),
    exports: [...text.matchAll(EXPORT)].map(([, exported]) => exported!),
    passedOn,
  }
}
const namesOf = ({ exports, passedOn }: Module) => [...exports, ...passedOn.map(({ name }) => name)]

type ModuleOf = (name: string) => Module
/** The expression for the exports of a module. */
type LoadedOf = (name: string) => string

/** The modules that `entry` needs and that are not in `present`, itself last: each after those that it imports. */
function inOrder(entry: string, moduleOf: ModuleOf, present: ReadonlySet<string>): ReadonlySet<string> {
  const ordered = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (ordered.has(name) || present.has(name)) return
    if (path.includes(name)) throw new Error(`The modules of the web pages import each other: ${[...path, name].join(', ')}.`)
    for (const needed of moduleOf(name).imports) visit(needed, [...path, name])
    ordered.add(name)
  }
  visit(entry, [])
  return ordered
}

/** The frame and every module that is imported later -> the modules that have run whenever it is requested. */
function presentBefore(frame: string, moduleOf: ModuleOf): ReadonlyMap<string, ReadonlySet<string>> {
  const present = new Map<string, ReadonlySet<string>>([[frame, new Set()]])
  const changed = [frame]
  for (const entry of changed) {
    const before = present.get(entry)!
    const after = new Set([...before, ...inOrder(entry, moduleOf, before)])
    for (const later of [...inOrder(entry, moduleOf, new Set())].flatMap((name) => moduleOf(name).later)) {
      const known = present.get(later)
      const common = known ? new Set([...known].filter((name) => after.has(name))) : after
      if (known?.size === common.size) continue
      present.set(later, common)
      changed.push(later)
    }
  }
  return present
}

/** The frame has what this many responses without a common page need. */
const OFTEN = 4

/**
 * The modules with more imports: what several responses need is an import of the last one that has run before all of them, so that it is sent
 * once. What needs a library that the frame does not have stays where it is needed.
 */
function withCommon(frame: string, moduleOf: ModuleOf): ModuleOf {
  const present = presentBefore(frame, moduleOf)
  const entries = [...present.keys()]
  const contents = new Map(entries.map((entry) => [entry, inOrder(entry, moduleOf, present.get(entry)!)]))
  const all = (name: string) => inOrder(name, moduleOf, new Set())
  const librariesOf = (name: string) => new Set([...all(name)].flatMap((one) => moduleOf(one).libraries))
  const ofFrame = librariesOf(frame)
  const common = new Map<string, string[]>()
  for (const name of new Set([...contents.values()].flatMap((names) => [...names]))) {
    const needing = entries.filter((entry) => contents.get(entry)!.has(name))
    const isBefore = (entry: string) => needing.every((one) => one === entry || present.get(one)!.has(entry))
    const place = entries.filter(isBefore).reduce((one, other) => (present.get(other)!.size > present.get(one)!.size ? other : one))
    const isOften = needing.length >= (place === frame ? OFTEN : 2)
    if (isOften && !all(name).has(place) && [...librariesOf(name)].every((one) => ofFrame.has(one)))
      common.set(place, [...(common.get(place) ?? []), name])
  }
  return (name) => {
    const module = moduleOf(name)
    return common.has(name) ? { ...module, imports: [...common.get(name)!, ...module.imports] } : module
  }
}

type Response = { readonly entry: string; readonly libraries: Map<string, string>; readonly loadedOf: LoadedOf }

/** @param libraries specifier -> its name in the response; a new one is added. */
function scopeOf(name: string, { text, exports, passedOn }: Module, { entry, libraries, loadedOf }: Response): string {
  const exportsOf = (specifier: string) => {
    if (isOurs(specifier)) return loadedOf(join(dirname(name), specifier))
    if (!libraries.has(specifier)) libraries.set(specifier, `library${libraries.size}`)
    return libraries.get(specifier)!
  }
  const body = text
    .replaceAll(IMPORT, (_, whole: string | undefined, names: string | undefined, specifier: string) =>
      whole ? `const ${whole} = ${exportsOf(specifier)}.default` : `const {${names!.replaceAll(' as ', ': ')}} = ${exportsOf(specifier)}`,
    )
    .replaceAll(PASSED_ON, '')
    .replaceAll(EXPORT, '')
    .replaceAll(LATER, (_, specifier: string) => `import(${JSON.stringify(specifierFrom(dirname(entry), join(dirname(name), specifier)))})`)
  const returned = [...exports, ...passedOn.map(({ name: one, specifier }) => `${one}: ${exportsOf(specifier)}.${one}`)]
  return `${loadedOf(name)} ??= (() => {\n${body}\nreturn { ${returned.join(', ')} }\n})()`
}

export type Joined = {
  /** By the name of the module that is imported. */
  readonly responses: ReadonlyMap<string, string>
  /** The modules that the responses contain. */
  readonly contained: ReadonlySet<string>
}
/** `sources`: by name; imports of the frame and of what it imports later are relative, or libraries. */
export function joinModules(sources: ReadonlyMap<string, string>, frame: string): Joined {
  const modules = new Map<string, Module>()
  const readOnce: ModuleOf = (name) => {
    const text = sources.get(name)
    if (text === undefined) throw new Error(`The web pages have no module ${name}.`)
    const module = modules.get(name) ?? read(name, text)
    modules.set(name, module)
    return module
  }
  const moduleOf = withCommon(frame, readOnce)
  const numbers = new Map([...sources.keys()].map((name, at) => [name, at]))
  const loadedOf: LoadedOf = (name) => `${LOADED}[${numbers.get(name)}]`
  const responses = new Map<string, string>()
  for (const [entry, present] of presentBefore(frame, moduleOf)) {
    const libraries = new Map<string, string>()
    const scopes = [...inOrder(entry, moduleOf, present)].map((name) => scopeOf(name, moduleOf(name), { entry, libraries, loadedOf }))
    const names = namesOf(moduleOf(entry))
    const lines = [
      ...[...libraries].map(([specifier, library]) => `import * as ${library} from '${specifier}'`),
      entry === frame ? `export const ${LOADED} = {}` : `import { ${LOADED} } from '${specifierFrom(dirname(entry), frame)}'`,
      ...scopes,
      ...(names.length > 0 ? [`export const { ${names.join(', ')} } = ${loadedOf(entry)}`] : []),
    ]
    responses.set(entry, `${lines.join('\n')}\n`)
  }
  return { responses, contained: new Set(modules.keys()) }
}
