// The NVIDIA cards of this machine, from the folder of their driver. Whether they work is not known from it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = '/proc/driver/nvidia/gpus'
const MOST = 16

/** Names as the driver lists them, in the order of their addresses; none without a driver. */
export function nvidiaCards(folder = FOLDER): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .slice(0, MOST)
      .map(
        (address) => /^Model:([^\n]{0,120})/m.exec(readFileSync(join(folder, address, 'information'), 'utf8'))?.[1]?.trim() || 'NVIDIA GPU',
      )
  } catch {
    return []
  }
}
