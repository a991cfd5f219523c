// The web pages: what is bundled of control-plane/web (pages/built.ts). The files that may be sent are listed at the first request of one, so a name
// from a request never becomes a path; most programs that start a studio show no page.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PeopleApi } from '#control-plane/features/operate/people/api.ts'
import { cookieOf, type Principal } from '#control-plane/http/contract/caller.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Content } from '#control-plane/http/contract/respond.ts'
import { ENGINES } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { builtFolder, readAgain } from './pages/built.ts'
import { PagesNotBuilt } from './pages/failure.ts'
import { type FirstViews, LANGUAGE, readFirstViews } from './pages/folder.ts'
import { languageFor } from './pages/language.ts'
import { createSites } from './pages/sites.ts'
import { webContracts } from './web.contract.ts'
import { answerWith, listWebFiles, versionOf, type WebFile } from './web-files.ts'

/** Has the language that was chosen in a browser. The pages write it. */
const LANGUAGE_COOKIE = 'studio-language'
/** The folder of the sign-in page. */
const SIGN_IN = 'sign-in/'
/** A page for development. */
const DESIGN = 'pages/design/'
/** A part of the page itself. */
const START = 'first.js'

const FRAME = ["form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'"]
const SIGN_IN_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  ...FRAME,
].join('; ')
const scriptSource = (inlined: string) => `script-src 'sha256-${createHash('sha256').update(inlined).digest('base64')}'`
/** Allows requests to this studio only. */
const policy = (inlined: string) =>
  [
    "default-src 'none'",
    `${scriptSource(inlined)} 'self'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    ...FRAME,
  ].join('; ')
const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' }

/** Facts for a page about its visitor: whether pages that administer work, its role, and whether there is a cookie to sign out. */
const visitorOf = async ({ signIn, person, mayAdminister, mayOwn }: Principal) => ({
  rights: (await mayAdminister()) ? 'admin' : 'consume',
  role: person?.role() ?? ((await mayOwn()) ? 'owner' : ''),
  signIn: signIn?.transport === 'cookie' ? 'cookie' : 'none',
})

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const attribute = (value: unknown): string => JSON.stringify(value).replaceAll('"', '&quot;')

type Headers = Parameters<typeof answerWith>[1]
type Options = {
  readonly version: string
  readonly hasKey: boolean
  /** True for the page that shows the components, for source maps, and for new bundles when a source has changed. */
  readonly isDevelopment: boolean
  readonly clock: Pick<Clock, 'mono'>
  readonly log: Log
  readonly signInOffer: PeopleApi['signInOffer']
}
type Site = Awaited<ReturnType<typeof openSite>>

/** Routes of the pages and their files. */
export function webRoutes(options: Options): Route[] {
  const sites = createSites({ ...options, find: builtFolder, open: (folder) => openSite(folder, options) })
  const shown = async (caller: Principal, show: (site: Site) => Content): Promise<Content> => {
    try {
      return show(await sites.current())
    } catch (error) {
      if (!(error instanceof PagesNotBuilt)) throw error
      // The reason names folders of the machine.
      const reason = (await caller.mayAdminister()) ? error.message : 'The log of the studio says why.'
      return failedPage(reason, options.isDevelopment ? await readAgain().catch(() => '') : '')
    }
  }
  const opened = () => sites.opened().catch(noFile)
  const part = async (version: string, name: string, headers: Headers) => (await opened()).part(version, name, headers)
  return [
    handle(webContracts.readPage, async ({ caller, headers }) => {
      if (!caller.mayConsume)
        return shown(caller, (site) => site.signInPage(caller, headers, { isFromLink: headers['sec-fetch-site'] === 'cross-site' }))
      const visitor = await visitorOf(caller)
      return shown(caller, (site) => site.page(visitor, headers))
    }),
    handle(webContracts.readSignIn, ({ caller, headers }) =>
      shown(caller, (site) => site.signInPage(caller, headers, { isFromLink: false })),
    ),
    handle(webContracts.readSignInFile, async ({ params, headers }) => (await opened()).signInFile(params.file, headers)),
    handle(webContracts.readModule, ({ params, headers }) => part(params.version, params.file, headers)),
    handle(webContracts.readPart, ({ params, headers }) => part(params.version, `${params.folder}/${params.file}`, headers)),
    handle(webContracts.readPagePart, ({ params, headers }) =>
      part(params.version, `${params.folder}/${params.page}/${params.file}`, headers),
    ),
  ]
}

const noFile = (error: unknown): never => {
  throw error instanceof PagesNotBuilt ? new Failure('NOT_FOUND', 'The pages of the studio cannot be shown.') : error
}
/** `again`: script of a page for development, which shows the pages once they can be */
const failedPage = (reason: string, again: string): Content => {
  const script = again && `<script>${again}</script>\n`
  const body = `<!doctype html>\n<html lang="en"><title>Voice Studio</title><h1>The pages cannot be shown</h1>\n<pre>${escaped(reason)}</pre>\n<p>Then load this page again.</p>\n${script}</html>\n`
  const policy = ["default-src 'none'", ...(again ? [scriptSource(again), "connect-src 'self'"] : []), ...FRAME].join('; ')
  return {
    status: 503,
    type: 'text/html; charset=utf-8',
    cache: 'no-store',
    headers: { 'content-security-policy': policy, ...ALWAYS },
    body: Buffer.from(body),
  }
}

/** A file that is loaded soon, so that browsers request it at once. */
const preload = (base: string) => (name: string) => `<link rel="modulepreload" href="${base}/${name}" />`

async function openSite(folder: string, { version: studioVersion, hasKey, isDevelopment, signInOffer }: Options) {
  const all = await listWebFiles(folder)
  const views: FirstViews = await readFirstViews(folder)
  const text = (name: string) => readFile(join(folder, name), 'utf8')
  const isSent = (name: string) => isDevelopment || !(name.startsWith(DESIGN) || name.endsWith('.map'))
  const files = new Map([...all].filter(([name]) => !name.startsWith(SIGN_IN) && isSent(name)))
  const signInFiles = new Map(
    [...all].flatMap(([name, file]): [string, WebFile][] =>
      name.startsWith(SIGN_IN) && isSent(name) ? [[name.slice(SIGN_IN.length), file]] : [],
    ),
  )
  const signInText = (await text(`${SIGN_IN}index.html`)).replace('%KEY%', hasKey ? 'set' : 'none')
  const version = versionOf(all)
  const base = `./panel/${version}` // relative to the page, which may be served under a path
  const start = Buffer.from(all.get(START)!.body).toString().trim()
  const contentPolicy = policy(start)
  const pages = [...files.keys()].flatMap((name) => /^pages\/([^/]+)\/page\.js$/.exec(name)?.[1] ?? [])
  const tags = Object.keys(views.languages)
  const names = attribute(Object.fromEntries(tags.map((tag) => [tag, views.languages[tag]!.name])))
  /** The page in a language. */
  function inLanguage(html: string, headers: Headers): string {
    const tag = languageFor({ chosen: cookieOf(headers, LANGUAGE_COOKIE), accepted: String(headers['accept-language'] ?? '') }, tags)
    const { direction, loading, noScript } = views.languages[tag]!
    return html
      .replaceAll(LANGUAGE, tag)
      .replaceAll('%DIRECTION%', direction)
      .replaceAll('%LOADING%', escaped(loading))
      .replaceAll('%NO_SCRIPT%', escaped(noScript))
  }
  const page = (await text('index.html'))
    .replace('%LANGUAGES%', names)
    .replace('%FIRST%', () => start)
    .replaceAll('%BASE%', base)
    .replace('%PRELOADS%', views.frame.map(preload(base)).join('\n    '))
    // Requested by first.ts with the page in the address.
    .replace('%PAGES%', attribute({ base, pages, needs: views.pages }))
    .replace('%ENGINES%', attribute(Object.fromEntries(ENGINES.map(({ id, name }) => [id, name]))))
    .replaceAll('%VERSION%', studioVersion)
    .replace('%DEVELOPMENT%', isDevelopment ? 'yes' : 'no')

  function send(from: ReadonlyMap<string, WebFile>, name: string, headers: Headers, cache: 'no-cache' | 'immutable'): Content {
    const file = from.get(name)
    if (!file) throw new Failure('NOT_FOUND', 'This file does not exist.')
    const map = isDevelopment && from.has(`${name}.map`) ? { sourcemap: `${basename(name)}.map` } : {}
    return answerWith(file, headers, { cache, always: { ...ALWAYS, ...map } })
  }
  const html = (body: Uint8Array, contentPolicy: string): Content => {
    const headers = { 'content-security-policy': contentPolicy, ...ALWAYS }
    return { type: 'text/html; charset=utf-8', cache: 'no-store', headers, body }
  }
  return {
    /** `isFromLink`: a browser that follows a link on another site sends no cookie; the page then requests itself again, with the cookie if there is one. */
    signInPage({ isShared }: Principal, headers: Headers, { isFromLink }: { readonly isFromLink: boolean }): Content {
      const text = inLanguage(signInText, headers)
        .replace('%PROOF%', isShared ? 'pin' : 'key')
        .replace('%PROVIDER%', () => escaped(JSON.stringify(isShared ? null : signInOffer())).replaceAll('"', '&quot;'))
        .replace('%LINK%', isFromLink ? 'yes' : 'no')
      return html(Buffer.from(text), SIGN_IN_POLICY)
    },
    signInFile: (name: string, headers: Headers) => send(signInFiles, name, headers, 'no-cache'),
    page({ rights, role, signIn }: Awaited<ReturnType<typeof visitorOf>>, headers: Headers): Content {
      const text = inLanguage(page, headers).replace('%RIGHTS%', rights).replace('%ROLE%', role).replace('%SIGN_IN%', signIn)
      return html(Buffer.from(text), contentPolicy)
    },
    /** A page of another version would mix its modules with ours. */
    part(of: string, name: string, headers: Headers): Content {
      if (of !== version) throw new Failure('NOT_FOUND', 'This file belongs to another version of the studio. Reload the page.')
      return send(files, name, headers, 'immutable')
    },
  }
}
