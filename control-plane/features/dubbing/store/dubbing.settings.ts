import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const dubbingSettings = {
  storeGigabytes: setting({
    key: 'dubbing.store_gigabytes',
    title: 'Dubs',
    schema: z.number().min(0).max(100_000),
    fallback: 20,
    summary: 'Gigabytes that the files of dubs may use together before those that can be made again are removed, oldest first.',
  }),
  ingestsLocalNetwork: setting({
    key: 'dubbing.ingest_local_network',
    title: 'Films from the local network',
    schema: z.boolean(),
    fallback: false,
    summary: 'Allow films for dubs from addresses of the local network, and not from the Internet alone.',
  }),
}
