// The contracts of the web pages: the page itself and the modules, styles and libraries that it loads.
import { z } from 'zod'
import { contract } from '../../http/contract.ts'

const name = z.string().max(64)
/** Media types by file extension; a file with another extension is not served. */
export const WEB_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const media = Object.values(WEB_TYPES)
// The files hold code and no content, and the routes that the code calls check access themselves.
const access = 'open'

export const webContracts = {
  readPage: contract({
    id: 'panel.readPage',
    method: 'GET',
    path: '/',
    access,
    summary: 'Returns the web page of the studio.',
    extension: true,
    media: ['text/html'],
  }),
  readModule: contract({
    id: 'panel.readModule',
    method: 'GET',
    path: '/panel/{file}',
    access,
    summary: 'Returns a file of the web page.',
    extension: true,
    params: z.strictObject({ file: name }),
    media,
  }),
  readPart: contract({
    id: 'panel.readPart',
    method: 'GET',
    path: '/panel/{folder}/{file}',
    access,
    summary: 'Returns a shared module of the web page, or a library that it uses.',
    extension: true,
    params: z.strictObject({ folder: name, file: name }),
    media,
  }),
  readPagePart: contract({
    id: 'panel.readPagePart',
    method: 'GET',
    path: '/panel/{folder}/{page}/{file}',
    access,
    summary: 'Returns a module of one page.',
    extension: true,
    params: z.strictObject({ folder: name, page: name, file: name }),
    media,
  }),
}
