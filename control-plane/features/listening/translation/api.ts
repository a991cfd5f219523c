import type { DubSource, Term } from './terms.ts'
import type { TranslateRequest } from './translation.schema.ts'
import type { DubTranslation } from './translation.service.ts'

export type TranslationApi = {
  /** Same as POST /dub/translate, with the same failures. */
  readonly translate: (
    request: TranslateRequest,
    caller: { readonly signal: AbortSignal; readonly traceparent: string },
  ) => ReturnType<DubTranslation['translate']>
  /** Rejects with BAD_REQUEST when nothing translates into this language now, from any language. */
  readonly requireTarget: (language: string) => Promise<void>
  /** The area of dubs opens later and lends its lines. */
  readonly lendDubs: (source: DubSource) => void
  /** The glossary of a project, oldest term first. */
  readonly glossaryOf: (projectId: string) => readonly Term[]
}
export type { DubSource }

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly translation: TranslationApi
  }
}
