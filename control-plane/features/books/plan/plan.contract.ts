import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { Manuscript, PlanReply, VoiceName } from './plan.schema.ts'

export const planContracts = {
  plan: contract({
    id: 'longform.planAudiobook',
    method: 'POST',
    path: '/audiobook/plan',
    access: 'consume',
    summary:
      'Returns the chapters and spans of a manuscript, without synthesis. Extensions: language, for the estimated minutes; the reply says of each chapter whether it is spoken, how many words it has and how long it lasts, and what is left out.',
    body: z
      .strictObject({ text: Manuscript, default_voice: VoiceName.nullish(), language: z.string().max(64).nullish() })
      .meta({ id: 'AudiobookPlanRequest' }),
    bodyBytes: 32 * 1024 * 1024,
    reply: PlanReply,
  }),
}
