// The description of the API and a viewer for it, served from this machine: no request leaves it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { openapi } from './openapi.ts'
import { bytes, type Route, route } from './route.ts'

const VIEWER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Voice Studio API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="viewer"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#viewer', deepLinking: true, validatorUrl: null })
`

/** The rows that describe all rows, themselves included. */
export function docsRoutes(others: readonly Route[], info: { readonly title: string; readonly version: string }): Route[] {
  const file = (name: string, type: string, read: () => string | Buffer): Route => {
    let body: Uint8Array | null = null
    return bytes({
      id: `docs.${name.replaceAll(/\W/g, '_')}`,
      method: 'GET',
      path: name === 'page' ? '/docs' : `/docs/${name}`,
      access: 'consume',
      summary: 'A part of the viewer of this description.',
      media: [type],
      run: () => {
        body ??= Buffer.from(read())
        return {
          headers: { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' },
          body,
        }
      },
    })
  }
  const rows: Route[] = [
    route({
      id: 'docs.readDescription',
      method: 'GET',
      path: '/openapi.json',
      access: 'consume',
      summary: 'This description.',
      reply: z.record(z.string(), z.unknown()),
      run: () => (document ??= openapi([...others, ...rows], info)),
    }),
    file('page', 'text/html', () => PAGE),
    file('start.js', 'text/javascript', () => START),
    file('swagger-ui.css', 'text/css', () => readFileSync(join(VIEWER, 'swagger-ui.css'))),
    file('swagger-ui-bundle.js', 'text/javascript', () => readFileSync(join(VIEWER, 'swagger-ui-bundle.js'))),
  ]
  let document: Record<string, unknown> | null = null
  return rows
}
