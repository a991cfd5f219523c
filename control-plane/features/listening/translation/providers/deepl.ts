// DeepL, API version 2: POST /v2/translate. Status 456 means that the quota is used up; keys of free accounts end in ":fx".
import { z } from 'zod'
import { kindOfHttpStatus } from './http-json.ts'
import type { HttpServiceDefinition } from './http-service.ts'
import { isTraditionalChinese, tagParts } from './service.ts'

const Reply = z.object({ translations: z.array(z.object({ text: z.string() })).max(50) })
/** A request may have 128 KiB; the remainder is for context, quotes and escapes. */
const TEXT_BYTES = 48 * 1024

const sourceCode = (tag: string): string => {
  const [language] = tagParts(tag)
  return (language === 'no' ? 'nb' : language).toUpperCase()
}
/** English and Portuguese need a variant as a target. */
function targetCode(tag: string): string {
  const [language, more] = tagParts(tag)
  if (language === 'en') return more === 'gb' ? 'EN-GB' : 'EN-US'
  if (language === 'pt') return more === 'br' ? 'PT-BR' : 'PT-PT'
  if (language === 'zh') return isTraditionalChinese(more) ? 'ZH-HANT' : 'ZH-HANS'
  return sourceCode(tag)
}

export const DEEPL: HttpServiceDefinition = {
  id: 'deepl',
  name: 'DeepL',
  limits: { texts: 50, size: TEXT_BYTES, sizeOf: (text) => Buffer.byteLength(text) },
  baseUrl: ({ baseUrl, key }) => baseUrl || (key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com'),
  usesContext: true,
  request: ({ texts, source, target, context }, { key }, baseUrl) => ({
    method: 'POST',
    url: `${baseUrl}/v2/translate`,
    headers: { authorization: `DeepL-Auth-Key ${key}` },
    body: {
      text: texts,
      source_lang: sourceCode(source),
      target_lang: targetCode(target),
      ...(context !== '' && { context }),
    },
  }),
  kindOf: ({ status }) => (status === 456 ? 'quota' : kindOfHttpStatus(status)),
  texts: (value) => Reply.parse(value).translations.map(({ text }) => text),
}
