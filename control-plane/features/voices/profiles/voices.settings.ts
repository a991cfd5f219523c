import { z } from 'zod'
import { OriginSecret } from '#control-plane/store/origin-secret.ts'
import { setting } from '#control-plane/store/setting.ts'

export const voicesSettings = {
  mostGigabytes: setting({
    key: 'voices.most_gigabytes',
    title: 'Voices',
    schema: z.number().min(0).max(100_000),
    fallback: 50,
    summary: 'Gigabytes that the recordings and pictures of voice profiles may use. New ones are refused above it.',
  }),
  hostedUrl: setting({
    key: 'voices.hosted_url',
    title: 'Address of the hosted library',
    schema: z.string().max(2_000),
    fallback: '',
    summary: 'The address of the hosted voice library; empty for none.',
    changedBy: 'Change it with PUT /api/settings/hosted-voices, because a new address removes the key.',
  }),
  hostedKey: setting({
    key: 'voices.hosted_key',
    title: 'Key for the hosted library',
    schema: OriginSecret.nullable(),
    fallback: null,
    summary: 'The key for the hosted voice library, and the server that it is for.',
    secret: true,
  }),
}
