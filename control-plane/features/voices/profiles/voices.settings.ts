import { z } from 'zod'
import { OriginSecret } from '#control-plane/store/origin-secret.ts'
import { setting } from '#control-plane/store/setting.ts'

export const voicesSettings = {
  mostGigabytes: setting({
    key: 'voices.most_gigabytes',
    access: 'admin',
    controls: { group: 'limits', title: 'Voices', help: 'Gigabytes for recordings and pictures. New ones are refused above it.' },
    schema: z.number().min(0).max(100_000),
    fallback: 50,
    summary: 'Gigabytes that the recordings and pictures of voice profiles may use. New ones are refused above it.',
  }),
  hostedUrl: setting({
    key: 'voices.hosted_url',
    access: 'own',
    controls: { group: 'hosted', title: 'Address of the hosted library', help: 'Empty for none. A new server removes the key.' },
    schema: z.string().max(2_000),
    fallback: '',
    summary: 'The address of the hosted voice library; empty for none.',
    changedBy: 'Change it with PUT /api/settings/hosted-voices, because a new address removes the key.',
  }),
  hostedKey: setting({
    key: 'voices.hosted_key',
    access: 'own',
    controls: { group: 'hosted', title: 'Key for the hosted library', help: 'It is sent to this library only.' },
    schema: OriginSecret.nullable(),
    fallback: null,
    summary: 'The key for the hosted voice library, and the server that it is for.',
    secret: true,
  }),
}
