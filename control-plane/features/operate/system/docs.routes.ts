// The API reference: the OpenAPI document and a viewer for it, both served from this machine. The page loads nothing from elsewhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { MediaContract } from '#control-plane/http/contract/contract.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { type DescribedApi, openapi } from '#control-plane/http/describe/openapi.ts'
import { docsContracts } from './docs.contract.ts'

const VIEWER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Voice Studio API</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="viewer"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body>
</html>
`
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#viewer', deepLinking: true, validatorUrl: null })
`

export function docsRoutes(described: DescribedApi, info: { readonly title: string; readonly version: string }, basePath: string): Route[] {
  let document: Record<string, unknown> | null = null
  const file = (contract: MediaContract, read: () => string | Buffer): Route => {
    let body: Uint8Array | null = null
    return handle(contract, () => {
      body ??= Buffer.from(read())
      const headers = { 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' }
      return { type: `${contract.media[0]}; charset=utf-8`, headers, body }
    })
  }
  return [
    handle(docsContracts.readDescription, () => (document ??= openapi(described, info, basePath))),
    file(docsContracts.page, () => PAGE),
    file(docsContracts.start, () => START),
    file(docsContracts.style, () => readFileSync(join(VIEWER, 'swagger-ui.css'))),
    file(docsContracts.bundle, () => readFileSync(join(VIEWER, 'swagger-ui-bundle.js'))),
  ]
}
