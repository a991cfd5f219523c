import { contract } from '#control-plane/http/contract/contract.ts'
import { TranslateReply, TranslateRequest } from './translation.schema.ts'

export const translationContracts = {
  translate: contract({
    id: 'translation.translate',
    method: 'POST',
    path: '/dub/translate',
    access: 'consume',
    summary:
      'Translates the lines of a dub. A line that cannot be translated keeps its text and has an error. The studio does not store the translations.',
    body: TranslateRequest,
    bodyBytes: 16 * 1024 * 1024,
    reply: TranslateReply,
  }),
}
