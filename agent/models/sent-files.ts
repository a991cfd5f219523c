// Files of models that other studios send to this machine, if its owner allows it: off without a limit. A studio has one addition at a time, whose
// bytes come in order; a new one replaces it. Names of files are kept in a list and never become paths.

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADDITION, ADDITION_LIST, OWN_LIMITS } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { isDiskError } from '#shared/runtime/file.ts'

/** `offset`: bytes of this file before the payload. `total`: bytes of all files of the addition. */
export type SentChunk = {
  readonly addition: string
  readonly index: number
  readonly name: string
  readonly offset: number
  readonly total: number
  readonly payload: Uint8Array
}
type Sent = { readonly addition: string; readonly total: number; readonly names: string[]; fileBytes: number; bytes: number; at: number }
type Deps = {
  /** Of all models. */
  readonly folder: string
  /** Bytes of one addition that the owner of this machine allows; 0 for none. */
  readonly limitBytes: () => number
  /** Throws STORAGE_FULL for bytes that the studio may not add to the disk. */
  readonly admit: (bytes: number, by: string) => Promise<void>
  readonly clock: Pick<Clock, 'mono'>
}
/** An addition without news for so long is removed with the next one of any studio. */
const IDLE_MS = 3600_000

/** A full disk of this machine is none of the studio, whose hint would name its own. */
function refusalOf(error: unknown): unknown {
  if (isDiskError(error)) return new Failure('CONFLICT', 'The disk of that machine is full.', { cause: error })
  if (error instanceof Failure && error.code === 'STORAGE_FULL') return new Failure('CONFLICT', error.message, { cause: error })
  return error
}

export function createSentFiles({ folder, limitBytes, admit, clock }: Deps) {
  /** By studio. */
  const open = new Map<string, Sent>()
  const placeOf = (addition: string) => join(folder, `${ADDITION}${addition}`)

  function drop(by: string): void {
    const sent = open.get(by)
    open.delete(by)
    if (sent) rmSync(placeOf(sent.addition), { recursive: true, force: true })
  }
  function requireAllowed(bytes: number): void {
    const limit = limitBytes()
    if (limit === 0)
      throw new Failure(
        'CONFLICT',
        `The owner of this machine does not let studios send files of models. They allow it with ${COMMAND} agent files GB.`,
      )
    if (bytes > limit)
      throw new Failure('CONFLICT', `The owner of this machine lets studios send ${limit / 1e9} GB at a time, and these files are larger.`)
  }
  async function begin({ addition, total }: SentChunk, by: string): Promise<Sent> {
    for (const [other, { at }] of [...open]) if (other === by || clock.mono() - at > IDLE_MS) drop(other)
    await admit(total, by).catch((error: unknown) => {
      throw refusalOf(error)
    })
    drop(by) // of a request that was admitted meanwhile
    mkdirSync(placeOf(addition), { mode: 0o700 })
    const sent: Sent = { addition, total, names: [], fileBytes: 0, bytes: 0, at: clock.mono() }
    open.set(by, sent)
    return sent
  }

  return {
    /** Throws CONFLICT for what the owner does not allow, for bytes out of order and for a full disk. */
    async put(chunk: SentChunk, by: string): Promise<void> {
      const { addition, index, name, offset, payload } = chunk
      requireAllowed(chunk.total)
      const known = open.get(by)
      const sent = known?.addition === addition ? known : await begin(chunk, by)
      const isNext = index === sent.names.length && offset === 0 && index < OWN_LIMITS.files
      if (!isNext && (index !== sent.names.length - 1 || offset !== sent.fileBytes))
        throw new Failure('CONFLICT', 'The files arrived out of order. Send them again.')
      if (sent.bytes + payload.length > sent.total) throw new Failure('CONFLICT', 'More bytes arrived than were announced.')
      try {
        appendFileSync(join(placeOf(addition), String(index)), payload, { mode: 0o600 })
      } catch (error) {
        drop(by)
        throw refusalOf(error)
      }
      if (isNext) sent.names.push(name)
      sent.fileBytes = (isNext ? 0 : sent.fileBytes) + payload.length
      sent.bytes += payload.length
      sent.at = clock.mono()
    },
    /** Writes the list of the files, which are complete. Throws NOT_FOUND, CONFLICT. */
    complete(addition: string, by: string): void {
      const sent = open.get(by)
      if (sent?.addition !== addition) throw new Failure('NOT_FOUND', 'The files are not there any more. Send them again.')
      requireAllowed(sent.total)
      if (sent.bytes !== sent.total) throw new Failure('CONFLICT', 'The files are not complete. Send them again.')
      writeFileSync(join(placeOf(addition), ADDITION_LIST), JSON.stringify(sent.names), { mode: 0o600 })
      open.delete(by)
    },
    /** Of a studio that may not use this machine any more. */
    drop,
    /** Announced bytes by studio. */
    usage: (): readonly (readonly [string, number])[] => [...open].map(([by, { total }]) => [by, total]),
  }
}
