// Paths of a studio's logs in its data folder.
import { join } from 'node:path'

export const logFolder = (dataDir: string): string => join(dataDir, 'logs')
export const logPath = (dataDir: string): string => join(logFolder(dataDir), 'studio.log')
export const crashLogPath = (dataDir: string): string => join(logFolder(dataDir), 'crash.log')
