// Measures folders in a worker thread.
import { Worker } from 'node:worker_threads'
import type { FolderSize, SizeRequest } from './folder-size.ts'

export type MeasureFolders = (requests: readonly SizeRequest[]) => Promise<Readonly<Record<string, FolderSize>>>

/** Rejects when the thread fails. */
export const measureFolders: MeasureFolders = (requests) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./size-worker.ts', import.meta.url), { workerData: requests })
    worker.unref()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the worker thread ended with ${code}`)))
  })
