// Throughput of a result: from the agent through the studio's durable artifact to a reader. Baselines: a raw grpc-js server stream over mutual
// TLS with messages of the same size that are discarded on arrival, and the same stream with its digest computed at both ends and a file at
// the reader. The digest decides the first ratio on processors without instructions for SHA-256; see ADR 0026.
import { benchKeys } from './support/keys.ts'
import { closeClient, startMachine, startPeer, startStudio } from './support/peers.ts'
import { interleave, row, title } from './support/rounds.ts'

const SIZES = [16, 256] // MiB: kept in memory, and spilled to files at both ends

export async function run(): Promise<void> {
  const keys = await benchKeys()
  const raw = await startPeer('raw-agent.ts', keys)
  const front = await startPeer('raw-front.ts', { agentPort: raw.ready['port'], keys })
  const studio = await startStudio()
  const machine = await startMachine(studio.port)
  try {
    for (const size of SIZES) {
      const bytes = size * 1024 * 1024
      const rate =
        (peer: Pick<typeof studio, 'ask'>, options: { from?: string; isKept?: boolean } = {}) =>
        async () => {
          const { seconds } = await peer.ask<{ seconds: number }>({ bytes, ...options })
          return bytes / 1e6 / seconds
        }
      title(`Artifact of ${size} MiB in messages of 256 KiB: hashed at both ends, spooled, stored under its digest and read`)
      const rates = await interleave(7, {
        borrowed: rate(studio, { from: machine.workerId }),
        local: rate(studio),
        raw: rate(front),
        kept: rate(front, { isKept: true }),
      })
      row('a borrowed machine (TCP) to the client', rates.borrowed, rates.raw, 'MB/s', 'at least 0.70')
      row('the local agent (Unix socket) to the client', rates.local, rates.raw, 'MB/s', 'at least 0.70')
      row('a borrowed machine / raw with digest and file', rates.borrowed, rates.kept, 'MB/s', 'at least 0.80')
      row('raw with digest and file', rates.kept, rates.raw, 'MB/s', '(what this processor allows)')
    }
  } finally {
    closeClient()
    await machine.end()
    await Promise.all([studio.end(), front.end(), raw.end()])
  }
}
