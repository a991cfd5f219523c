// What this process holds: main memory from the system, device memory where a driver tells it.

import { execFile } from 'node:child_process'

const LIMIT_MS = 5_000
const ARGUMENTS = ['--query-compute-apps=pid,used_memory', '--format=csv,noheader,nounits']

/** Bytes that `pid` holds according to what nvidia-smi lists, in MiB; 0 when it does not know the process (or not its memory). */
export function deviceBytesIn(listed: string, pid: number): number {
  let mebibytes = 0
  for (const line of listed.split('\n')) {
    const [owner, used] = line.split(',').map((field) => Number(field.trim()))
    if (owner === pid && used !== undefined && Number.isFinite(used)) mebibytes += used
  }
  return mebibytes * 1024 ** 2
}

const deviceBytes = (program = 'nvidia-smi'): Promise<number> =>
  new Promise((resolve) => {
    execFile(program, ARGUMENTS, { timeout: LIMIT_MS, killSignal: 'SIGKILL' }, (error, output) =>
      resolve(error ? 0 : deviceBytesIn(output, process.pid)),
    )
  })

export type Footprint = { readonly memoryBytes: number; readonly deviceBytes: number }

/** On the CPU nobody is asked about device memory. */
export const measureFootprint = async (device: string): Promise<Footprint> => ({
  memoryBytes: process.memoryUsage.rss(),
  deviceBytes: device === 'cpu' ? 0 : await deviceBytes(),
})
