// Memory of this process: main memory from the operating system, device memory from the driver.

import { execFile } from '#shared/runtime/child/process.ts'

const TIMEOUT_MS = 5_000
const ARGUMENTS = ['--query-compute-apps=pid,used_memory', '--format=csv,noheader,nounits']

/** Device memory of `pid` in bytes, from the output of nvidia-smi in MiB; 0 when it does not list the process or its memory. */
export function parseDeviceBytes(listed: string, pid: number): number {
  let mebibytes = 0
  for (const line of listed.split('\n')) {
    const [owner, used] = line.split(',').map((field) => Number(field.trim()))
    if (owner === pid && used !== undefined && Number.isFinite(used)) mebibytes += used
  }
  return mebibytes * 1024 ** 2
}

const deviceBytes = (program = 'nvidia-smi'): Promise<number> =>
  new Promise((resolve) => {
    execFile(program, ARGUMENTS, { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' }, (error, output) =>
      resolve(error ? 0 : parseDeviceBytes(output, process.pid)),
    )
  })

export type Footprint = { readonly memoryBytes: number; readonly deviceBytes: number }

/** Does not query device memory for the CPU. */
export const measureFootprint = async (device: string): Promise<Footprint> => ({
  memoryBytes: process.memoryUsage.rss(),
  deviceBytes: device === 'cpu' ? 0 : await deviceBytes(),
})
