// The rows of GET /engines/translation, and the refusals of installing and removing a translator. The studio installs no packages: a
// translator is a program of the operating system, a model of the catalogue or a network service. Pure.

import { z } from 'zod'
import { localOffers, type Offer } from '#control-plane/inference/offers.ts'
import { LOCAL_TRANSLATORS } from '#control-plane/inference/translators.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { isTranslationService, variablesOf } from '#shared/translators.ts'

type Translator = {
  readonly id: string
  readonly name: string
  readonly category: 'offline' | 'online' | 'llm'
  readonly needsKey: boolean
  readonly builtin: boolean
  /** Engines of this machine that translate for it. */
  readonly engines?: readonly string[]
  readonly notes: string
  readonly remedy: string
}
const ONLINE = 'Sends the lines to a service on the network.'
const IN_ITS_PLACE = 'Not part of this studio. The translators of this machine answer in its place.'
const INSTALL_ONE = `Install a translation model, such as ${COMMAND} models install Xenova/m2m100_418M, or the Debian program apertium.`
const TRANSLATORS: readonly Translator[] = [
  {
    id: 'argos',
    name: 'Argos',
    category: 'offline',
    needsKey: false,
    builtin: true,
    engines: LOCAL_TRANSLATORS,
    notes: IN_ITS_PLACE,
    remedy: INSTALL_ONE,
  },
  {
    id: 'nllb',
    name: 'NLLB',
    category: 'offline',
    needsKey: false,
    builtin: true,
    engines: LOCAL_TRANSLATORS,
    notes: IN_ITS_PLACE,
    remedy: INSTALL_ONE,
  },
  {
    id: 'google',
    name: 'Google',
    category: 'online',
    needsKey: true,
    builtin: false,
    notes: ONLINE,
    remedy: '',
  },
  {
    id: 'deepl',
    name: 'DeepL',
    category: 'online',
    needsKey: true,
    builtin: false,
    notes: ONLINE,
    remedy: '',
  },
  {
    id: 'microsoft',
    name: 'Microsoft',
    category: 'online',
    needsKey: true,
    builtin: false,
    notes: ONLINE,
    remedy: '',
  },
  {
    id: 'mymemory',
    name: 'MyMemory',
    category: 'online',
    needsKey: false,
    builtin: false,
    notes: ONLINE,
    remedy: '',
  },
  {
    id: 'openai',
    name: 'OpenAI-compatible',
    category: 'llm',
    needsKey: true,
    builtin: false,
    notes: 'Any compatible endpoint, including one on this machine.',
    remedy: 'Configure an endpoint for language models in the settings.',
  },
  {
    id: 'apertium',
    name: 'Apertium',
    category: 'offline',
    needsKey: false,
    builtin: false,
    engines: ['apertium'],
    notes: 'A Debian program with one package for each pair of languages.',
    remedy: 'Install it by hand: apt-get install apertium apertium-en-es (or another pair), then start the agent again.',
  },
]

const TranslationRow = z.object({
  id: z.string(),
  display_name: z.string(),
  pip_package: z.string().nullable(),
  probe_module: z.string(),
  category: z.enum(['offline', 'online', 'llm']),
  needs_key: z.boolean(),
  builtin: z.boolean(),
  notes: z.string(),
  installed: z.boolean(),
  availability_reason: z.string(),
  install_command: z.string().nullable(),
  configured: z.boolean().optional(),
  configured_via: z.string().nullable().optional(),
})
export const TranslationReply = z.object({ engines: z.array(TranslationRow), sandboxed: z.boolean() }).meta({ id: 'TranslationEngines' })
export const TranslationInstalled = z
  .object({ status: z.enum(['already_installed', 'no_op']), engine: z.string(), reason: z.string().optional() })
  .meta({ id: 'TranslationChange' })

/** Configuration by the owner, besides programs and models. */
export type TranslatorChoices = {
  readonly offers: readonly Offer[]
  readonly variable: (name: string) => string
  readonly isLlmReady: boolean
}

function works({ id, category, engines = [] }: Translator, { offers, variable, isLlmReady }: TranslatorChoices): boolean {
  if (category === 'llm') return isLlmReady
  if (isTranslationService(id)) return variable(variablesOf(id).key) !== ''
  return localOffers(offers, 'translate').some(({ engine }) => engines.includes(engine))
}

const remedyOf = ({ id, remedy }: Translator): string =>
  isTranslationService(id)
    ? `Store ${id === 'mymemory' ? 'your e-mail address' : 'the key of your account'} as ${variablesOf(id).key} (POST /system/set-env).`
    : remedy

export function translationView(choices: TranslatorChoices): z.output<typeof TranslationReply> {
  const engines = TRANSLATORS.map((row) => {
    const installed = works(row, choices)
    return {
      id: row.id,
      display_name: row.name,
      pip_package: null,
      probe_module: '',
      category: row.category,
      needs_key: row.needsKey,
      builtin: row.builtin,
      notes: row.notes,
      installed,
      availability_reason: installed ? 'Ready.' : remedyOf(row),
      install_command: null,
      ...(row.category === 'llm' && { configured: installed, configured_via: null }),
    }
  })
  return { engines, sandboxed: true }
}

const named = (id: string): Translator => {
  const row = TRANSLATORS.find((each) => each.id === id)
  if (!row) throw new Failure('NOT_FOUND', `Unknown translation engine '${id}'.`)
  return row
}

/** Throws NOT_FOUND, and BAD_REQUEST with the way to install it, because the studio installs no packages. */
export function installTranslator(id: string, choices: TranslatorChoices): z.output<typeof TranslationInstalled> {
  const row = named(id)
  if (works(row, choices)) return { status: 'already_installed', engine: id }
  throw new Failure('BAD_REQUEST', `The studio installs no packages. ${remedyOf(row)}`)
}

/** Throws NOT_FOUND, and BAD_REQUEST because the studio did not install it. */
export function removeTranslator(id: string, choices: TranslatorChoices): z.output<typeof TranslationInstalled> {
  const row = named(id)
  if (row.builtin) throw new Failure('BAD_REQUEST', `'${id}' is part of the list and cannot be removed.`)
  if (!works(row, choices)) return { status: 'no_op', engine: id }
  throw new Failure('BAD_REQUEST', `The studio did not install '${id}'. Remove it with the tools of your system.`)
}
