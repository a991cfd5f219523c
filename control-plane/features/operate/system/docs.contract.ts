// The contracts of the API reference: the OpenAPI document and the viewer that shows it.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const file = <const Name extends string, const Type extends string>(name: Name, type: Type) =>
  contract({
    id: `docs.${name.replaceAll(/\W/g, '_')}`,
    method: 'GET',
    path: name === 'page' ? '/docs' : `/docs/${name}`,
    access: 'consume',
    summary: 'Returns a file of the viewer of the API reference.',
    extension: true,
    ...(name === 'page' && { opensPage: true }),
    media: [type],
  })

export const docsContracts = {
  readDescription: contract({
    id: 'docs.readDescription',
    method: 'GET',
    path: '/openapi.json',
    access: 'consume',
    summary: 'Returns the OpenAPI description of this API.',
    extension: true,
    reply: z.record(z.string(), z.unknown()),
  }),
  page: file('page', 'text/html'),
  start: file('start.js', 'text/javascript'),
  style: file('swagger-ui.css', 'text/css'),
  bundle: file('swagger-ui-bundle.js', 'text/javascript'),
}
