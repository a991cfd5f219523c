// Microsoft Translator, version 3.0: POST /translate. Codes of errors have six digits; 403001 is a used quota of a free account.
import { z } from 'zod'
import { kindOfHttpStatus } from './http-json.ts'
import type { HttpServiceDefinition } from './http-service.ts'
import { isTraditionalChinese, tagParts } from './service.ts'

const Reply = z.array(z.object({ translations: z.tuple([z.object({ text: z.string() })], z.unknown()) })).max(1_000)
const Refusal = z.object({ error: z.object({ code: z.coerce.number() }) })
const QUOTA = new Set([403_001])

function codeOf(tag: string): string {
  const [language, more] = tagParts(tag)
  if (language === 'zh') return isTraditionalChinese(more) ? 'zh-Hant' : 'zh-Hans'
  if (language === 'pt') return more === 'pt' ? 'pt-pt' : 'pt'
  return language === 'no' ? 'nb' : language
}

export const MICROSOFT: HttpServiceDefinition = {
  id: 'microsoft',
  name: 'Microsoft Translator',
  limits: { texts: 1_000, size: 50_000, sizeOf: (text) => text.length },
  baseUrl: ({ baseUrl }) => baseUrl || 'https://api.cognitive.microsofttranslator.com',
  usesContext: false,
  request: ({ texts, source, target }, { key, region }, baseUrl) => ({
    method: 'POST',
    url: `${baseUrl}/translate?${new URLSearchParams({ 'api-version': '3.0', from: codeOf(source), to: codeOf(target) })}`,
    headers: { 'ocp-apim-subscription-key': key, ...(region !== '' && { 'ocp-apim-subscription-region': region }) },
    body: texts.map((Text) => ({ Text })),
  }),
  kindOf: ({ status, value }) => (QUOTA.has(Refusal.safeParse(value).data?.error.code ?? 0) ? 'quota' : kindOfHttpStatus(status)),
  texts: (value) => Reply.parse(value).map(({ translations }) => translations[0].text),
}
