// `say --explain`: a text after each stage on its way to the engine, printed by the running studio.
import { z } from 'zod'
import type { Environment } from '../command.ts'
import { requestJson } from './api.ts'

const Answer = z.object({
  explained: z.object({
    engine_name: z.string(),
    language: z.string(),
    stages: z.array(z.object({ stage: z.string(), changed: z.boolean(), lines: z.array(z.string()) })),
    notices: z.array(z.string()),
  }),
})
const HEADINGS: Readonly<Record<string, string>> = {
  clean: 'Without marks',
  pronounce: 'With the pronunciation dictionary',
  segment: 'In sentences',
  expand: 'With figures in words',
}
type Asked = {
  readonly text: string
  readonly language: string | undefined
  readonly engine: string | undefined
  readonly voice: string | undefined
}

/** Lines for the terminal. Throws the refusal of the studio. */
export async function readingOf(env: Environment, asked: Asked, signal: AbortSignal): Promise<string[]> {
  const body = { ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)), stages: true }
  const answer = Answer.parse(await requestJson(env, 'POST', '/pronunciation/test', body, signal))
  const { engine_name: engine, language, stages, notices } = answer.explained
  return [
    `Engine ${engine}, ${language === '' ? 'language unknown' : `language ${language}`}`,
    ...stages.flatMap(({ stage, changed, lines }) =>
      changed ? ['', HEADINGS[stage] ?? stage, ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)] : [],
    ),
    ...(stages.some(({ changed }) => changed) ? [] : ['The engine gets the text as it is written.']),
    ...(notices.length > 0 ? ['', ...notices] : []),
  ]
}
