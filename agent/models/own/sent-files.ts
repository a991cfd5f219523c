// Files of models that other studios send to this machine, if its owner allows it: off without a limit. A studio has one addition at a time, whose
// bytes come in order; a new one replaces it. Names of files are kept in a list and never become paths.

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADDITION, ADDITION_LIST, OWN_LIMITS } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { isDiskError, isSystemError } from '#shared/runtime/file.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'

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
/** The pieces of a studio, one after the other. `isEnded`: the studio may not use this machine any more. */
type Line = { readonly inTurn: ReturnType<typeof createSerialQueue>; waiting: number; isEnded: boolean }
export type SentFilesDeps = {
  /** Folder of all models. */
  readonly folder: string
  /** Bytes of one addition that the owner of this machine allows; 0 for none. */
  readonly limitBytes: () => number
  /** Resolves with what `begin` returns, which is called as soon as the studio may add the bytes to the disk. Throws STORAGE_FULL. */
  readonly admit: <T>(bytes: number, by: string, begin: () => T) => Promise<T>
  readonly clock: Pick<Clock, 'mono'>
}
/** An addition without news for so long is removed. */
const IDLE_MS = 3600_000
/** Pieces of a studio in memory. A studio sends one after the other. */
const MAX_WAITING = 8

/**
 * Error for the studio, without paths of this machine. A full disk of this machine is none of the studio, whose hint would name its own.
 */
export function senderError(error: unknown): unknown {
  if (error instanceof Failure) return error.code === 'STORAGE_FULL' ? new Failure('CONFLICT', error.message, { cause: error }) : error
  if (isDiskError(error)) return new Failure('CONFLICT', 'The disk of that machine is full or not writable.', { cause: error })
  if (!isSystemError(error)) return error
  const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
  return new Failure('CONFLICT', isThere ? 'These files are there already. Add them again.' : 'That machine could not store the files.', {
    cause: error,
  })
}
export function createSentFiles({ folder, limitBytes, admit, clock }: SentFilesDeps) {
  /** By studio. */
  const open = new Map<string, Sent>()
  const lines = new Map<string, Line>()
  const placeOf = (addition: string) => join(folder, `${ADDITION}${addition}`)

  function drop(by: string): void {
    const sent = open.get(by)
    open.delete(by)
    if (sent) rmSync(placeOf(sent.addition), { recursive: true, force: true })
  }
  /** Null for an addition of so many bytes that the owner allows. */
  function refusal(bytes: number): Failure | null {
    const limit = limitBytes()
    if (limit === 0)
      return new Failure(
        'CONFLICT',
        `The owner of this machine does not let studios send files of models. They allow it with ${AGENT_COMMAND} files GB.`,
      )
    if (bytes > limit)
      return new Failure('CONFLICT', `The owner of this machine lets studios send ${limit / 1e9} GB at a time, and these files are larger.`)
    return null
  }
  function requireAllowed(bytes: number, line?: Line): void {
    if (line?.isEnded) throw new Failure('CANCELLED', 'The studio may not use this machine any more.')
    const refused = refusal(bytes)
    if (refused) throw refused
  }
  /** Removes what the owner does not allow any more, and what was not continued. */
  function tidy(): void {
    for (const [by, { total, at }] of [...open]) if (refusal(total) !== null || clock.mono() - at > IDLE_MS) drop(by)
  }

  async function begin({ addition, total }: SentChunk, by: string, line: Line): Promise<Sent> {
    drop(by)
    tidy()
    const start = () => {
      // What was allowed may have ended meanwhile.
      requireAllowed(total, line)
      mkdirSync(placeOf(addition), { mode: 0o700 })
      const sent: Sent = { addition, total, names: [], fileBytes: 0, bytes: 0, at: clock.mono() }
      open.set(by, sent)
      return sent
    }
    return await admit(total, by, start).catch((error: unknown) => {
      throw senderError(error)
    })
  }

  async function write(chunk: SentChunk, by: string, line: Line): Promise<void> {
    const { addition, index, name, offset, total, payload } = chunk
    requireAllowed(total, line)
    const known = open.get(by)
    const sent = known?.addition === addition ? known : await begin(chunk, by, line)
    const isNext = index === sent.names.length && offset === 0 && index < OWN_LIMITS.files
    if (!isNext && (index !== sent.names.length - 1 || offset !== sent.fileBytes))
      throw new Failure('CONFLICT', 'The files arrived out of order. Send them again.')
    if (sent.bytes + payload.length > sent.total) throw new Failure('CONFLICT', 'More bytes arrived than were announced.')
    try {
      appendFileSync(join(placeOf(addition), String(index)), payload, { mode: 0o600 })
    } catch (error) {
      drop(by)
      throw senderError(error)
    }
    if (isNext) sent.names.push(name)
    sent.fileBytes = (isNext ? 0 : sent.fileBytes) + payload.length
    sent.bytes += payload.length
    sent.at = clock.mono()
  }

  return {
    /** Throws CONFLICT for what the owner does not allow, for bytes out of order and for a full disk, CANCELLED after `end`. */
    async put(chunk: SentChunk, by: string): Promise<void> {
      const line = lines.get(by) ?? { inTurn: createSerialQueue(), waiting: 0, isEnded: false }
      if (line.waiting >= MAX_WAITING)
        throw new Failure('CONFLICT', 'Too many pieces arrived at the same time. Send them one after the other.')
      lines.set(by, line)
      line.waiting++
      try {
        await line.inTurn(() => write(chunk, by, line))
      } finally {
        line.waiting--
        if (line.waiting === 0 && lines.get(by) === line) lines.delete(by)
      }
    },
    /** Writes the list of the files, which are complete, and returns their bytes, for which the caller answers now. Throws NOT_FOUND, CONFLICT. */
    complete(addition: string, by: string): number {
      const sent = open.get(by)
      if (sent?.addition !== addition) throw new Failure('NOT_FOUND', 'The files are not there any more. Send them again.')
      requireAllowed(sent.total)
      if (sent.bytes !== sent.total) throw new Failure('CONFLICT', 'The files are not complete. Send them again.')
      try {
        writeFileSync(join(placeOf(addition), ADDITION_LIST), JSON.stringify(sent.names), { mode: 0o600 })
      } catch (error) {
        drop(by)
        throw senderError(error)
      }
      open.delete(by)
      return sent.total
    },
    /** Ends the addition of a studio that may not use this machine any more, also one whose first piece waits. */
    end(by: string): void {
      const line = lines.get(by)
      if (line) line.isEnded = true
      lines.delete(by)
      drop(by)
    },
    refusal,
    tidy,
    /** Bytes on the disk, and announced bytes that are not there yet, by studio. */
    usage: () => [...open].map(([by, { total, bytes }]) => ({ by, written: bytes, unwritten: total - bytes })),
  }
}
