// Chooses the translator of a request: the named one, else the one of TRANSLATE_PROVIDER, else the language model when one is configured,
// else the translators of this machine. Nothing leaves the machine without a key that the owner entered.

import { translationNeed } from '#control-plane/inference/needs/needs.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { LOCAL_TRANSLATORS } from '#control-plane/inference/translators.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { isTranslationService, type TranslationServiceId, variablesOf } from '#shared/translators.ts'
import type { AnswerStore } from '../answers.store.ts'
import { DEEPL } from './deepl.ts'
import { GOOGLE } from './google.ts'
import type { HttpJson } from './http-json.ts'
import { createHttpService, type HttpServiceDefinition, type ServiceAccount } from './http-service.ts'
import { createLocalService, localRoute, localSources, noPair } from './local.ts'
import { MICROSOFT } from './microsoft.ts'
import { MYMEMORY } from './mymemory.ts'
import type { TextService } from './service.ts'

export type ChosenTranslator = { readonly kind: 'llm' } | { readonly kind: 'text'; readonly service: TextService }
type Deps = {
  /** A variable that the owner set; '' without one. */
  readonly variable: (name: string) => string
  readonly isLlmReady: () => boolean
  readonly http: HttpJson
  readonly answers: AnswerStore
  readonly offered: () => readonly Offer[]
  readonly inference: Pick<Inference, 'run'>
}
export type TranslatorChoice = ReturnType<typeof createTranslatorChoice>

const SERVICES: Readonly<Record<TranslationServiceId, HttpServiceDefinition>> = {
  google: GOOGLE,
  deepl: DEEPL,
  microsoft: MICROSOFT,
  mymemory: MYMEMORY,
}
const LOCAL_ID = 'local'
const LLM = new Set(['openai', 'llm'])
/** Offline translators that are not part of this studio: clients that name one want a translator that needs no network. */
const OFFLINE: ReadonlyMap<string, string> = new Map([
  ['argos', 'Argos'],
  ['libretranslate', 'LibreTranslate'],
  ['nllb', 'NLLB'],
])
const INSTEAD = `Use provider "local" with an installed translation model (${COMMAND} models), "openai" with a language model, or a service with a key.`
const KNOWN = ['local', ...LOCAL_TRANSLATORS, 'openai', ...Object.keys(SERVICES)]

const refused = (message: string, needs?: ModelNeed) => new Failure('BAD_REQUEST', message, { needs })

export function createTranslatorChoice({ variable, isLlmReady, http, answers, offered, inference }: Deps) {
  const local = (wanted: string | null): TextService => createLocalService({ offered, inference }, wanted)
  function service(id: TranslationServiceId): TextService {
    const definition = SERVICES[id]
    const { key, baseUrl, region } = variablesOf(id)
    const account: ServiceAccount = {
      key: variable(key),
      baseUrl: baseUrl === undefined ? '' : variable(baseUrl),
      region: region === undefined ? '' : variable(region),
    }
    if (account.key === '')
      throw refused(
        `${definition.name} needs ${id === 'mymemory' ? 'an e-mail address' : 'a key'}. Store it as ${key} (POST /system/set-env).`,
      )
    return createHttpService(definition, { http, answers, account })
  }

  return {
    choose,
    /** Throws BAD_REQUEST when the default translator cannot be used at all, or has no pair with this language. */
    requireTarget(language: string): void {
      const chosen = choose('', [])
      if (chosen.kind === 'llm' || chosen.service.id !== LOCAL_ID) return
      const wanted = engineOf(variable('TRANSLATE_PROVIDER').trim().toLowerCase())
      if (!localSources(offered()).some((source) => localRoute(offered(), source, language, wanted) !== null))
        throw refused(`No translator of this machine translates into ${language}. ${INSTEAD}`, translationNeed('en', language))
    },
    /** Translates what a language model did not. */
    fallback: (): TextService => local(null),
  }

  /**
   * `named`: the provider of the request; '' for the default. `pairs`: the languages of the lines. Throws BAD_REQUEST with the remedy when
   * it cannot translate at all.
   */
  function choose(named: string, pairs: readonly { readonly source: string; readonly target: string }[]): ChosenTranslator {
    const id = (named.trim() || variable('TRANSLATE_PROVIDER') || (isLlmReady() ? 'openai' : 'local')).toLowerCase()
    if (LLM.has(id)) {
      if (isLlmReady()) return { kind: 'llm' }
      throw refused('No language model is configured for the translation of dubs. Choose one in the settings, or name another provider.')
    }
    if (isTranslationService(id)) return { kind: 'text', service: service(id) }
    const wanted = engineOf(id)
    const offline = OFFLINE.get(id)
    if (id !== LOCAL_ID && wanted === null && offline === undefined)
      throw refused(`There is no translator of this name. Use one of ${KNOWN.join(', ')}.`)
    const first = pairs[0]
    if (first && pairs.every(({ source, target }) => localRoute(offered(), source, target, wanted) === null))
      throw refused(noPair(first.source, first.target), translationNeed(first.source, first.target))
    return { kind: 'text', service: offline === undefined ? local(wanted) : inPlaceOf(offline, local(null)) }
  }
}

/** The engine of this machine with this name; null for another name. */
const engineOf = (name: string): string | null => LOCAL_TRANSLATORS.find((engine) => engine === name) ?? null

/** The service with a notice that another translator was named. */
const inPlaceOf = (name: string, service: TextService): TextService => ({
  ...service,
  async translate(order, caller) {
    const { answers, notices } = await service.translate(order, caller)
    const isTranslated = answers.some((answer) => 'text' in answer)
    return {
      answers,
      notices: isTranslated ? [`${name} is not part of this studio. A translator of this machine answered.`, ...notices] : notices,
    }
  },
})
