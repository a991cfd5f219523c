import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'

export const gallerySettings = {
  mostGigabytes: setting({
    key: 'gallery.most_gigabytes',
    access: 'admin',
    controls: { group: 'limits', title: 'Gallery', help: 'Gigabytes for clips. New clips are refused above it.' },
    schema: z.number().min(0).max(100_000),
    fallback: 50,
    summary: 'Gigabytes that the clips of the gallery may use. New clips are refused above it.',
  }),
}
