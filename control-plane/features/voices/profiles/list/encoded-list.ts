// The list of all profiles as JSON, newest first. Each row is kept encoded, and the whole list until the next change, because reading and
// encoding 10,000 rows takes longer than everything else that a request does. Work is done in slices, between which other requests run.
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { ProfileStore } from '../store/profile.store.ts'
import type { StoredProfile } from '../store/profile.ts'
import { publicRow } from '../store/public-row.ts'

/** Limit of the kept rows: about 33,000 ordinary ones. The whole list needs as much again. A longer one is encoded for each request. */
const MAX_BYTES = 32 * 1024 ** 2
const SLICE_ROWS = 100
/** Rows and bytes that are copied into the whole list at once. */
const JOINED_ROWS = 2_000
const JOINED_BYTES = 4 * 1024 ** 2

type Deps = {
  readonly store: Pick<ProfileStore, 'watch' | 'slice' | 'find' | 'statementOf'>
  readonly mostBytes?: number
}
type Whole = { readonly bytes: Uint8Array /** Version of the rows when the list was made. */; readonly version: number }
export type EncodedList = ReturnType<typeof createEncodedList>

export function createEncodedList({ store, mostBytes = MAX_BYTES }: Deps) {
  /** Oldest first, because a map keeps the order in which its keys were added. */
  const rows = new Map<string, Buffer>()
  let rowBytes = 0
  /** Ids whose row may differ from the stored one. */
  const changed = new Set<string>()
  let version = 0
  let state: 'empty' | 'filling' | 'filled' | 'too large' = 'empty'
  let whole: Whole | null = null
  let work: Promise<Whole | null> | null = null

  store.watch((id, isRemoved) => {
    version++
    whole = null
    if (isRemoved) put(id, null)
    else if (state === 'filling' || state === 'filled') changed.add(id)
  })

  const encode = (profile: StoredProfile): Buffer => Buffer.from(JSON.stringify(publicRow(profile, store.statementOf(profile.id))))
  function put(id: string, profile: StoredProfile | null): void {
    rowBytes -= rows.get(id)?.length ?? 0
    changed.delete(id)
    if (!profile) return void rows.delete(id)
    const row = encode(profile)
    rows.set(id, row)
    rowBytes += row.length
  }
  function forget(next: 'empty' | 'too large'): void {
    rows.clear()
    changed.clear()
    rowBytes = 0
    state = next
  }

  async function fill(): Promise<void> {
    state = 'filling'
    for (let place = 0; rowBytes <= mostBytes; await nextTurn()) {
      const slice = store.slice('oldest first', place, SLICE_ROWS)
      for (const { profile } of slice) put(profile.id, profile)
      if (slice.length < SLICE_ROWS) break
      place = slice.at(-1)!.place
    }
    state = 'filled'
  }
  /** New profiles are changed ones, in the order of their creation. Nothing has changed since when this resolves. */
  async function refresh(): Promise<void> {
    let done = 0
    for (const id of changed) {
      put(id, store.find(id))
      if (rowBytes > mostBytes) return
      if (++done % SLICE_ROWS === 0) await nextTurn()
    }
  }
  async function join(): Promise<Whole> {
    const at = version
    const parts = [...rows.values()].reverse()
    const bytes = Buffer.allocUnsafeSlow(2 + rowBytes + Math.max(0, parts.length - 1))
    let [end, since] = [bytes.write('['), 0]
    for (const [index, part] of parts.entries()) {
      if (index > 0) end += bytes.write(',', end)
      end += part.copy(bytes, end)
      since += part.length
      if (index % JOINED_ROWS !== JOINED_ROWS - 1 && since < JOINED_BYTES) continue
      since = 0
      await nextTurn()
    }
    bytes.write(']', end)
    return { bytes, version: at }
  }
  /** Null if the rows are too large to be kept. */
  async function build(): Promise<Whole | null> {
    try {
      if (state !== 'filled') await fill()
      await refresh()
      if (rowBytes > mostBytes) {
        forget('too large')
        return null
      }
      const made = await join()
      if (made.version === version) whole = made
      return made
    } catch (error) {
      forget('empty')
      throw error
    }
  }

  /** Profiles that change meanwhile may be listed as before or after the change. */
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let [place, bytes, before] = [Number.MAX_SAFE_INTEGER, 0, '[']
    for (;;) {
      const slice = store.slice('newest first', place, SLICE_ROWS)
      const encoded = slice.map(({ profile }) => encode(profile))
      if (encoded.length > 0) {
        const piece = Buffer.concat(encoded.flatMap((row, index) => [Buffer.from(index === 0 ? before : ','), row]))
        before = ','
        bytes += piece.length
        yield piece
      }
      if (slice.length < SLICE_ROWS) break
      place = slice.at(-1)!.place
      await nextTurn()
    }
    yield Buffer.from(before === '[' ? '[]' : ']')
    if (bytes <= mostBytes && state === 'too large') state = 'empty'
  }

  return {
    /** Contains every change that was made before the call. */
    async body(): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
      const wanted = version
      while (state !== 'too large') {
        if (whole) return whole.bytes
        work ??= build().finally(() => {
          work = null
        })
        const made = await work
        // Another caller may have started the work before a change that this one has made.
        if (made && made.version >= wanted) return made.bytes
      }
      return pieces()
    },
  }
}
