// Google Cloud Translation, basic edition (v2): POST /language/translate/v2. The key travels in a header, because addresses are logged by
// proxies. An invalid key is answered with 400, a used quota with 403.
import { z } from 'zod'
import { kindOfHttpStatus } from './http-json.ts'
import type { HttpServiceDefinition } from './http-service.ts'
import { isTraditionalChinese, tagParts } from './service.ts'

const Reply = z.object({ data: z.object({ translations: z.array(z.object({ translatedText: z.string() })).max(128) }) })
const Refusal = z.object({
  error: z.object({
    errors: z.array(z.object({ reason: z.string() })).catch([]),
    details: z.array(z.object({ reason: z.string().catch('') })).catch([]),
  }),
})
const QUOTA = new Set(['dailyLimitExceeded', 'quotaExceeded'])
const BUSY = new Set(['rateLimitExceeded', 'userRateLimitExceeded'])
/** In code points; the service recommends at most 5,000 and refuses 30,720. */
const SIZE = 5_000

function codeOf(tag: string): string {
  const [language, more] = tagParts(tag)
  if (language === 'zh') return isTraditionalChinese(more) ? 'zh-TW' : 'zh-CN'
  return language === 'nb' || language === 'nn' ? 'no' : language
}

export const GOOGLE: HttpServiceDefinition = {
  id: 'google',
  name: 'Google Cloud Translation',
  limits: { texts: 128, size: SIZE, sizeOf: (text) => text.length },
  baseUrl: ({ baseUrl }) => baseUrl || 'https://translation.googleapis.com',
  usesContext: false,
  request: ({ texts, source, target }, { key }, baseUrl) => ({
    method: 'POST',
    url: `${baseUrl}/language/translate/v2`,
    headers: { 'x-goog-api-key': key },
    body: { q: texts, source: codeOf(source), target: codeOf(target), format: 'text' },
  }),
  kindOf({ status, value }) {
    const refusal = Refusal.safeParse(value).data?.error
    const reasons = [...(refusal?.errors ?? []), ...(refusal?.details ?? [])].map(({ reason }) => reason)
    if (reasons.some((reason) => QUOTA.has(reason))) return 'quota'
    if (reasons.some((reason) => BUSY.has(reason))) return 'busy'
    return reasons.includes('API_KEY_INVALID') ? 'auth' : kindOfHttpStatus(status)
  },
  texts: (value) => Reply.parse(value).data.translations.map(({ translatedText }) => translatedText),
}
