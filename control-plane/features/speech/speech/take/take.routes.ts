import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Content } from '#control-plane/http/contract/respond.ts'
import type { ByteRange, createLiveSound } from './live-sound.ts'
import { takeContracts } from './take.contract.ts'

/** Stands for the unknown end of a sound that grows (RFC 8673). */
const OPEN_END = Number.MAX_SAFE_INTEGER

/** One range of bytes from an offset on. Null for any other form, which means the whole sound. */
export function byteRange(header: string | string[] | undefined): ByteRange | null {
  const [, from, to] = typeof header === 'string' ? (/^bytes=(\d{1,16})-(\d{0,16})$/i.exec(header) ?? []) : []
  if (from === undefined) return null
  const range = { from: Number(from), to: to ? Math.min(Number(to), OPEN_END) : OPEN_END }
  return range.from <= range.to ? range : null
}

export const takeRoutes = (live: ReturnType<typeof createLiveSound>): Route[] => [
  handle(takeContracts.followSound, async ({ params, headers, signal }): Promise<Content> => {
    const file = await live.fileOf(params.job_id)
    if (file !== null) return { type: 'audio/pcm', status: 303, body: new Uint8Array(), headers: { location: `/audio/${file}` } }
    const range = byteRange(headers['range'])
    const { sampleRate, body } = await live.follow(params.job_id, range ?? { from: 0, to: OPEN_END }, signal)
    return {
      type: 'audio/pcm',
      status: range ? 206 : 200,
      body,
      cache: 'no-store',
      headers: {
        'accept-ranges': 'bytes',
        'x-sample-rate': sampleRate,
        'content-range': range && `bytes ${range.from}-${range.to}/*`,
      },
    }
  }),
  handle(takeContracts.move, async ({ params }) => {
    await live.move(params.job_id)
    return { ok: true as const }
  }),
]
