import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { storiesContracts } from './stories.contract.ts'
import type { Stories } from './stories.service.ts'

export const storiesRoutes = (stories: Stories): Route[] => [
  handle(storiesContracts.encode, async ({ body, uploads, signal }) => {
    const { type, name, bytes, file } = await stories.encode(uploads['file']!, body, signal)
    return { type, body: file, length: bytes, file: { name, disposition: 'attachment' }, readsUploads: true }
  }),
]
