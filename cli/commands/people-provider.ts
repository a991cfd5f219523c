// `people oidc`: shows, sets, tries and removes the provider of identities with which people sign in to the page. Its secret comes from standard input
// or a file, so that it is neither in the shell history nor in the process list.

import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Misuse, type Outcome, refuseArguments, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { confirmed } from '#cli/lib/questions.ts'
import { secretArgument } from '#cli/lib/secret-argument.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { printable } from '#cli/views/table.ts'
import { ProviderTest, ProviderView } from '#control-plane/features/operate/people/people.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const PROVIDER_OPTIONS = {
  issuer: { type: 'string' },
  'client-id': { type: 'string' },
  address: { type: 'string' },
  button: { type: 'string' },
  'secret-file': { type: 'string' },
  'keep-secret': { type: 'boolean' },
} as const
type Values = {
  readonly [Name in 'issuer' | 'client-id' | 'address' | 'button' | 'secret-file']?: string | undefined
} & { readonly 'keep-secret'?: boolean | undefined; readonly yes?: boolean | undefined }

const PATH = '/people/oidc'
const VERBS = ['set', 'test', 'remove']
const SECRET_BYTES = 4_096

export async function providerOutcome(
  [verb, ...more]: readonly (string | undefined)[],
  values: Values,
  terminal: Terminal,
): Promise<Outcome> {
  const { env } = terminal
  if (verb !== undefined && !VERBS.includes(verb)) throw unknownVerb('people oidc', verb, VERBS)
  refuseArguments(
    `people oidc ${verb ?? ''}`.trim(),
    more.filter((one) => one !== undefined),
  )
  if (verb === 'test') {
    const value = ProviderTest.parse(await requestJson(env, 'POST', `${PATH}/test`, {}))
    if (value.problem !== null) throw new Failure('REMOTE_SERVICE_FAILED', value.problem)
    return { value, lines: ['The provider answered. Its secret is used at the first sign-in.'] }
  }
  if (verb === 'remove') {
    await confirmed('This removes the provider and ends the sign-ins with it. Keys still work.', values.yes, terminal)
    return shown(await requestJson(env, 'DELETE', PATH))
  }
  const now = ProviderView.parse(await requestJson(env, 'GET', PATH))
  if (verb === undefined) return shown(now)
  const [issuer, client_id, address] = [
    values.issuer ?? now?.issuer,
    values['client-id'] ?? now?.client_id,
    values.address ?? now?.public_address,
  ]
  if (issuer === undefined || client_id === undefined || address === undefined)
    throw new Misuse('Name the provider, the client and the page: people oidc set --issuer URL --client-id ID --address URL.')
  const body = {
    ...{ issuer, client_id, public_address: address, label: values.button ?? now?.label ?? '' },
    ...(!values['keep-secret'] && { client_secret: await secretOf(values['secret-file'], terminal) }),
  }
  return shown(await requestJson(env, 'PUT', PATH, body))
}

async function secretOf(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file === undefined) return secretArgument('-', 'client secret', terminal)
  const opened = await open(resolve(terminal.cwd, file)).catch(() => {
    throw new Misuse(`The file ${printable(file)} cannot be read.`)
  })
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(SECRET_BYTES))
    return buffer.subarray(0, bytesRead).toString('utf8').trim()
  } finally {
    await opened.close()
  }
}

function shown(answer: unknown): Outcome {
  const value = ProviderView.parse(answer)
  if (value === null) return { value, lines: [`People sign in with keys only. Set a provider with ${COMMAND} people oidc set.`] }
  const { issuer, client_id, label, redirect_address } = value
  return {
    value,
    lines: [
      `Provider: ${printable(issuer)}`,
      `Client: ${printable(client_id)}`,
      ...(label === '' ? [] : [`Button: Sign in with ${printable(label)}`]),
      `Redirect address: ${printable(redirect_address)}`,
      `Permit the redirect address at the provider, then try it with ${COMMAND} people oidc test.`,
    ],
  }
}
