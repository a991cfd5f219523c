// `voices export` and `voices import`: files with saved voices, to and from the running studio.

import type { IncomingMessage } from 'node:http'
import { basename, resolve } from 'node:path'
import type { Environment, Outcome, Terminal } from '#cli/lib/command.ts'
import { fileAt, refuseUnwritable, save } from '#cli/lib/file-transfer.ts'
import { failureFrom, request, requestJson } from '#cli/lib/studio/api.ts'
import { printable } from '#cli/views/table.ts'
import { personasContracts } from '#control-plane/features/voices/bundles/personas/personas.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export type ExportOptions = {
  readonly licence?: string | undefined
  readonly 'without-reference'?: boolean | undefined
  readonly force?: boolean | undefined
}

/** The reply about a voice. For an unknown id, throws NOT_FOUND with the command that lists the ids. */
export const ofVoice = <T>(id: string, reply: Promise<T>): Promise<T> =>
  orMissing(reply, `There is no voice ${printable(id)}. List them with ${COMMAND} voices.`)

/** The same about a take. */
export const ofTake = <T>(id: string, reply: Promise<T>): Promise<T> =>
  orMissing(reply, `There is no take ${printable(id)}. The page of a voice shows its takes.`)

async function orMissing<T>(reply: Promise<T>, sentence: string): Promise<T> {
  try {
    return await reply
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error
    throw new Failure('NOT_FOUND', sentence, { cause: error })
  }
}

export async function exportVoice(
  id: string,
  file: string,
  options: ExportOptions,
  { env, cwd, errors, interrupted }: Terminal,
): Promise<Outcome> {
  const path = resolve(cwd, file)
  await refuseUnwritable(path, options.force === true)
  const query = new URLSearchParams({
    ...(options.licence !== undefined && { license_spdx: options.licence }),
    ...(options['without-reference'] && { include_reference: 'false' }),
  })
  const signal = interrupted()
  const response = await ofVoice(id, exported(env, `/personas/export/${encodeURIComponent(id)}?${query}`, signal))
  const bytes = await save(response, path, signal)
  const notice = response.headers['x-svc-notice']
  if (notice !== undefined) errors.write(`studio: ${printable(String(notice))}\n`)
  return { value: { path, bytes }, lines: [`${basename(path)}, ${Math.ceil(bytes / 1000)} kB`] }
}

async function exported(env: Environment, path: string, signal: AbortSignal): Promise<IncomingMessage> {
  const response = await request(env, { method: 'POST', path, signal })
  if (response.statusCode !== 200) throw await failureFrom(env, response)
  return response
}

export async function importVoice(file: string, { env, cwd }: Terminal): Promise<Outcome> {
  const path = resolve(cwd, file)
  const form = new FormData()
  form.set('file', await fileAt(path), basename(path))
  const value = personasContracts.importPersona.reply.parse(await requestJson(env, 'POST', '/personas/import', form))
  const remarks = [
    ...(value.preview_only ? ['The file contains a preview only, so the voice has no transcript.'] : []),
    ...(value.schema_version_ahead ? ['The file was written by a newer version. What this version does not know was left out.'] : []),
    ...(value.license_replaced === null
      ? []
      : [`Its licence ${printable(value.license_replaced)} is not on the list of licences. ${value.license_spdx} is used.`]),
    ...(value.skipped_members.length > 0 ? [`Not used: ${printable(value.skipped_members.join(', '))}.`] : []),
  ]
  return { value, lines: [`Imported ${printable(value.name)} as voice ${value.profile_id}.`, ...remarks] }
}
