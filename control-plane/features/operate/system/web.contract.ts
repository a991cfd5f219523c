// The contracts of the web pages: the page itself and the modules, styles and libraries that it loads.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const name = z.string().max(64)
/** Media types by file extension; a file with another extension is not served. */
export const WEB_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  // Source maps, which are sent for development only.
  '.map': 'application/json; charset=utf-8',
}
const media = Object.values(WEB_TYPES)
// Without a sign-in another machine receives the sign-in page and its files, and nothing else.
const access = 'consume'

export const webContracts = {
  readPage: contract({
    id: 'panel.readPage',
    method: 'GET',
    path: '/',
    access: 'open',
    opensPage: true,
    summary: 'Returns the web page of the studio, or the sign-in page to a caller who may not use it.',
    extension: true,
    reads: ['accept-language'],
    media: ['text/html'],
  }),
  readSignIn: contract({
    id: 'panel.readSignIn',
    method: 'GET',
    path: '/sign-in',
    access: 'open',
    opensPage: true,
    summary: 'Returns the sign-in page. refused: the reason for which a sign-in with the provider of identities failed.',
    extension: true,
    query: z.strictObject({ refused: z.string().max(32).optional() }),
    reads: ['accept-language'],
    media: ['text/html'],
  }),
  readSignInFile: contract({
    id: 'panel.readSignInFile',
    method: 'GET',
    path: '/sign-in/{file}',
    access: 'open',
    summary: 'Returns a file of the sign-in page.',
    extension: true,
    params: z.strictObject({ file: name }),
    reads: ['if-none-match', 'accept-encoding'],
    media,
  }),
  readModule: contract({
    id: 'panel.readModule',
    method: 'GET',
    path: '/panel/{version}/{file}',
    access,
    summary: 'Returns a file of the web page. The version is that of all files, and part of the addresses in the page.',
    extension: true,
    params: z.strictObject({ version: name, file: name }),
    reads: ['if-none-match', 'accept-encoding'],
    media,
  }),
  readPart: contract({
    id: 'panel.readPart',
    method: 'GET',
    path: '/panel/{version}/{folder}/{file}',
    access,
    summary: 'Returns a shared module of the web page, or a library that it uses.',
    extension: true,
    params: z.strictObject({ version: name, folder: name, file: name }),
    reads: ['if-none-match', 'accept-encoding'],
    media,
  }),
  readPagePart: contract({
    id: 'panel.readPagePart',
    method: 'GET',
    path: '/panel/{version}/{folder}/{page}/{file}',
    access,
    summary: 'Returns a module of one page.',
    extension: true,
    params: z.strictObject({ version: name, folder: name, page: name, file: name }),
    reads: ['if-none-match', 'accept-encoding'],
    media,
  }),
}
