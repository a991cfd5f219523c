import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const dubbingSettings = {
  storeGigabytes: setting({
    key: 'dubbing.store_gigabytes',
    access: 'admin',
    controls: { group: 'limits', title: 'Dubs', help: 'Gigabytes. Above it, files that can be made again are removed, oldest first.' },
    schema: z.number().min(0).max(100_000),
    fallback: 20,
    summary: 'Gigabytes that the files of dubs may use together before those that can be made again are removed, oldest first.',
  }),
  ingestsLocalNetwork: setting({
    key: 'dubbing.ingest_local_network',
    access: 'own',
    controls: {
      group: 'takes',
      title: 'Films from the local network',
      help: 'Allows addresses of your own network for films, and not the Internet alone.',
    },
    schema: z.boolean(),
    fallback: false,
    summary: 'Allow films for dubs from addresses of the local network, and not from the Internet alone.',
  }),
}
