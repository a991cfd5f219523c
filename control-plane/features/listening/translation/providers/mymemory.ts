// MyMemory: GET /get, one text of at most 500 bytes a request. A used quota is reported inside of an answer, with status 200 or 429. The
// service identifies its users by an e-mail address, which its interface expects in the query.
import { z } from 'zod'
import { kindOfHttpStatus } from './http-json.ts'
import type { HttpServiceDefinition } from './http-service.ts'
import { tagParts } from './service.ts'

const Reply = z.object({
  responseData: z.object({ translatedText: z.string() }),
  responseStatus: z.coerce.number().catch(200),
  quotaFinished: z.boolean().nullish(),
})
const QUOTA = /^MYMEMORY WARNING/
const ENTITIES: Readonly<Record<string, string>> = { '&#39;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' }

function codeOf(tag: string): string {
  const [language, more] = tagParts(tag)
  return language === 'zh' && more === '' ? 'zh-CN' : [language, more.toUpperCase()].filter(Boolean).join('-')
}

export const MYMEMORY: HttpServiceDefinition = {
  id: 'mymemory',
  name: 'MyMemory',
  limits: { texts: 1, size: 500, sizeOf: (text) => Buffer.byteLength(text) },
  baseUrl: ({ baseUrl }) => baseUrl || 'https://api.mymemory.translated.net',
  usesContext: false,
  request: ({ texts, source, target }, { key }, baseUrl) => ({
    method: 'GET',
    url: `${baseUrl}/get?${new URLSearchParams({ q: texts[0]!, langpair: `${codeOf(source)}|${codeOf(target)}`, de: key })}`,
    headers: {},
  }),
  kindOf({ status, value }) {
    const reply = Reply.safeParse(value).data
    if (reply && (reply.quotaFinished === true || QUOTA.test(reply.responseData.translatedText))) return 'quota'
    return kindOfHttpStatus(status) ?? (reply ? kindOfHttpStatus(reply.responseStatus) : null)
  },
  texts: (value) => [Reply.parse(value).responseData.translatedText.replace(/&(?:#39|quot|lt|gt|amp);/g, (entity) => ENTITIES[entity]!)],
}
