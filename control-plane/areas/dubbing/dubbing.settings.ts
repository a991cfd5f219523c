import { z } from 'zod'
import { setting } from '../../store/setting.ts'

export const dubbingSettings = {
  storeGigabytes: setting({
    key: 'dubbing.store_gigabytes',
    schema: z.number().min(0).max(100_000),
    fallback: 20,
    summary: 'Gigabytes that the files of dubs may use together before those that can be made again are removed, oldest first.',
  }),
}
