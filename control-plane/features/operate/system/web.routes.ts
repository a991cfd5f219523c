// The web pages: plain browser modules of control-plane/web, and the libraries they use, as their packages contain them. The files that may
// be sent are listed at the first request of one, so a name from a request never becomes a path; most programs that start a studio show no page.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Principal } from '#control-plane/http/contract/caller.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Content } from '#control-plane/http/contract/respond.ts'
import { ENGINES } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { webContracts } from './web.contract.ts'
import { answerWith, LIBRARIES, libraryFile, listWebFiles, versionOf, WEB_FOLDER, type WebFile } from './web-files.ts'

/** The folder of the sign-in page, and the files that it shares with the other pages. */
const SIGN_IN = 'sign-in/'
/** A page for development. */
const DESIGN = 'pages/design/'
/** A part of the page itself. */
const START = 'first.js'
/** What the frame is built with. */
const FRAME_LIBRARIES = ['preact', 'preact/hooks', 'htm']
const SIGN_IN_SHARED = ['styles/tokens.css', 'styles/base.css', 'styles/controls.css', 'icon.svg', 'fonts/inter-latin.woff2']
/** Bare names in modules -> addresses. */
const importMap = (base: string) =>
  JSON.stringify({ imports: Object.fromEntries(LIBRARIES.map((name) => [name, `${base}/library/${libraryFile(name)}`])) })

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
/** Allows requests to this studio only. */
const policy = (inlined: readonly string[]) =>
  [
    "default-src 'none'",
    `script-src 'self' ${inlined.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    ...FRAME,
  ].join('; ')
const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-opener-policy': 'same-origin' }

/** What a page is told about its visitor: whether pages that administer work, and whether there is a cookie to sign out. */
const visitorOf = async ({ signIn, mayAdminister }: Principal) => ({
  rights: (await mayAdminister()) ? 'admin' : 'consume',
  signIn: signIn?.transport === 'cookie' ? 'cookie' : 'none',
})

const attribute = (value: unknown): string => JSON.stringify(value).replaceAll('"', '&quot;')

type Headers = Parameters<typeof answerWith>[1]
type Options = {
  readonly version: string
  readonly hasKey: boolean
  /** With the page that shows the components. */
  readonly isDevelopment: boolean
}

/** Routes of the pages and their files. */
export function webRoutes(options: Options): Route[] {
  let opened: ReturnType<typeof openSite> | undefined
  const site = () => (opened ??= openSite(options))
  return [
    handle(webContracts.readPage, async ({ caller, headers }) => {
      if (!caller.mayConsume) return withoutLink(headers, site().signInPage(caller))
      return site().page(await visitorOf(caller))
    }),
    handle(webContracts.readSignIn, ({ caller }) => site().signInPage(caller)),
    handle(webContracts.readSignInFile, ({ params, headers }) => site().signInFile(params.file, headers)),
    handle(webContracts.readModule, ({ params, headers }) => site().part(params.version, params.file, headers)),
    handle(webContracts.readPart, ({ params, headers }) => site().part(params.version, `${params.folder}/${params.file}`, headers)),
    handle(webContracts.readPagePart, ({ params, headers }) =>
      site().part(params.version, `${params.folder}/${params.page}/${params.file}`, headers),
    ),
  ]
}

/** A browser that follows a link on another site sends no cookie. The same page requests itself again, with the cookie if there is one. */
const withoutLink = (headers: Headers, page: Content): Content =>
  headers['sec-fetch-site'] === 'cross-site' ? { ...page, headers: { ...page.headers, refresh: 0 } } : page

/** Reads and joins all files, which takes 60 ms of processor time. */
function openSite({ version: studioVersion, hasKey, isDevelopment }: Options) {
  const all = listWebFiles()
  const files = new Map([...all].filter(([name]) => !name.startsWith(SIGN_IN) && (isDevelopment || !name.startsWith(DESIGN))))
  const ofSignIn = [...all].flatMap(([name, file]): [string, WebFile][] =>
    name.startsWith(SIGN_IN) ? [[name.slice(SIGN_IN.length), file]] : [],
  )
  const signInFiles = new Map([...ofSignIn, ...SIGN_IN_SHARED.map((name): [string, WebFile] => [basename(name), all.get(name)!])])
  const signInText = readFileSync(join(WEB_FOLDER, SIGN_IN, 'index.html'), 'utf8').replace('%KEY%', hasKey ? 'set' : 'none')
  const signInPages = { key: Buffer.from(signInText.replace('%PROOF%', 'key')), pin: Buffer.from(signInText.replace('%PROOF%', 'pin')) }
  const version = versionOf(all)
  const base = `./panel/${version}` // relative to the page, which may be served under a path
  const imports = importMap(base)
  const start = Buffer.from(all.get(START)!.body).toString()
  const contentPolicy = policy([imports, start])
  // Requested at once; first.js requests the page in the address.
  const preloads = FRAME_LIBRARIES.map((name) => `<link rel="modulepreload" href="${base}/library/${libraryFile(name)}" />`)
  const pages = [...files.keys()].flatMap((name) => /^pages\/([^/]+)\/page\.js$/.exec(name)?.[1] ?? [])
  const page = readFileSync(join(WEB_FOLDER, 'index.html'), 'utf8')
    .replace('%IMPORTS%', imports)
    .replace('%FIRST%', () => start)
    .replaceAll('%BASE%', base)
    .replace('%PRELOADS%', preloads.join('\n    '))
    .replace('%PAGES%', attribute({ base, pages }))
    .replace('%ENGINES%', attribute(Object.fromEntries(ENGINES.map(({ id, name }) => [id, name]))))
    .replaceAll('%VERSION%', studioVersion)
    .replace('%DEVELOPMENT%', isDevelopment ? 'yes' : 'no')

  function send(from: ReadonlyMap<string, WebFile>, name: string, headers: Headers, cache: 'no-cache' | 'immutable'): Content {
    const file = from.get(name)
    if (!file) throw new Failure('NOT_FOUND', 'This file does not exist.')
    return answerWith(file, headers, { cache, always: ALWAYS })
  }
  const html = (body: Uint8Array, contentPolicy: string): Content => {
    const headers = { 'content-security-policy': contentPolicy, ...ALWAYS }
    return { type: 'text/html; charset=utf-8', cache: 'no-store', headers, body }
  }
  return {
    signInPage: ({ isShared }: Principal) => html(isShared ? signInPages.pin : signInPages.key, SIGN_IN_POLICY),
    signInFile: (name: string, headers: Headers) => send(signInFiles, name, headers, 'no-cache'),
    page({ rights, signIn }: Awaited<ReturnType<typeof visitorOf>>): Content {
      const text = page.replace('%RIGHTS%', rights).replace('%SIGN_IN%', signIn)
      return html(Buffer.from(text), contentPolicy)
    },
    /** A page of another version would mix its modules with ours. */
    part(of: string, name: string, headers: Headers): Content {
      if (of !== version) throw new Failure('NOT_FOUND', 'This file belongs to another version of the studio. Reload the page.')
      return send(files, name, headers, 'immutable')
    },
  }
}
