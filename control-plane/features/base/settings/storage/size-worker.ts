// The worker thread that measures folders: one request at its start, one result, then it ends.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '#shared/runtime/clock.ts'
import { type SizeRequest, sizeOfFolder } from './folder-size.ts'

const requests = workerData as readonly SizeRequest[]
parentPort!.postMessage(Object.fromEntries(requests.map(({ id, ...request }) => [id, sizeOfFolder(request, systemClock.mono)])))
